// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;

/**
 * Response body bytes that a stream may still send before the worker has taken what it was given, and the buffers that
 * lie on the way. Twin of {@code credit.c}.
 *
 * <p>Thread: the owner.
 */
public final class Credit {
    /** A buffer and how many bytes of the stream lie before its end. */
    private record Lent(ByteBuf buffer, long end) {}

    /** What a stream may have on the way while the process's budget is spent. */
    static final int CHUNK = 16 << 10;

    private final Outbox outbox;
    private final ArrayDeque<Lent> lent = new ArrayDeque<>();
    private long available;
    private long sent;
    private long taken;

    /** A stream that may send {@code window} bytes at first. */
    Credit(Outbox outbox, long window) {
        this.outbox = outbox;
        this.available = window;
    }

    /** Whether a chunk may be sent; the last one may be larger than what is left. */
    boolean isOpen() {
        return available > 0 && (sent - taken < CHUNK || !outbox.isBudgetSpent());
    }

    /** Bytes were sent that lie in the message itself. */
    void spend(int bytes) {
        available -= bytes;
        sent += bytes;
    }

    /** Bytes were sent that lie in a buffer, which is released when the worker has taken them. */
    void spend(int bytes, ByteBuf buffer) {
        spend(bytes);
        lent.add(new Lent(buffer, sent));
    }

    /** Whether buffers of ours are still with the worker. */
    boolean isLending() {
        return !lent.isEmpty();
    }

    /** The worker took so many bytes, in order. */
    public void grant(long bytes) {
        available += bytes;
        taken += bytes;
        while (!lent.isEmpty() && lent.peek().end() <= taken) {
            lent.poll().buffer().release();
        }
    }

    /** The worker touches nothing any more: releases every buffer. */
    void close() {
        while (!lent.isEmpty()) {
            lent.poll().buffer().release();
        }
    }
}
