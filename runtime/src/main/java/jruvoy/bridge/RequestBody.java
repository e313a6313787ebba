// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.util.ArrayDeque;

/**
 * Request body bytes that have arrived and were not read yet. What is read is given back to the worker as credit, in
 * portions, so that an upload never holds more than its window. Twin of {@code request_body.c}.
 *
 * <p>Thread: the owner.
 */
public final class RequestBody {
    private final long stream;
    private final Outbox outbox;
    private final int portion;
    private final ArrayDeque<byte[]> chunks = new ArrayDeque<>();
    private byte[] current;
    private int at;
    private int owed;
    private boolean ended;
    private boolean refused;

    /** The body of a stream whose worker may send {@code window} bytes ahead. */
    RequestBody(long stream, Outbox outbox, int window) {
        this.stream = stream;
        this.outbox = outbox;
        this.portion = Math.max(1, window / 4);
    }

    /** Bytes arrived; the array is ours from now on. */
    public void offer(byte[] bytes, boolean last) {
        if (bytes.length > 0 && !refused) {
            chunks.add(bytes);
        }
        ended |= last;
    }

    /**
     * Moves on to bytes that can be read at {@link #bytes()} from {@link #offset()}.
     *
     * @return how many there are, at most {@code limit}; 0 when there are none now (see {@link #isEnded()})
     */
    public int next(int limit) {
        if (current == null || at == current.length) {
            current = chunks.poll();
            at = 0;
        }
        return current == null ? 0 : Math.min(limit, current.length - at);
    }

    /** Where the bytes of {@link #next} lie; they never change, so that strings may share them. */
    public byte[] bytes() {
        return current;
    }

    /** The first of the bytes of {@link #next}. */
    public int offset() {
        return at;
    }

    /** So many of the bytes of {@link #next} were read. */
    public void consume(int bytes) {
        at += bytes;
        owed += bytes;
        if (owed >= portion) {
            repay();
        }
    }

    /** Gives back all credit, as one must before waiting for more. */
    public void repay() {
        if (owed > 0 && !ended) {
            outbox.appendCredit(stream, owed);
        }
        owed = 0;
    }

    /** Drops what is there and what comes: nobody will read it. Nothing is asked for any more. */
    public void refuse() {
        refused = true;
        chunks.clear();
        current = null;
    }

    /** Whether the app has said that it wants no more. */
    public boolean isRefused() {
        return refused;
    }

    /** Whether all bytes have arrived (they may not have been read). */
    public boolean isEnded() {
        return ended;
    }
}
