// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One response on its way out, in legal order: head, data, trailers, end. Twin of {@code response.c}, which sends it.
 *
 * <p>Head and small chunks are held back until the turn of the loop ends, the app flushes, or there is enough of them.
 * A response that is whole by then leaves as one message with a content-length; whenever the app waits for anything,
 * the turn ends and what it has said so far leaves.
 *
 * <p>Thread: the owner.
 */
public final class Response implements Outbox.Pending {
    /** How far a response has got. */
    private enum State {
        /** Nothing is known. */
        NONE,
        /** The head is known and held back. */
        HELD,
        /** The head was sent. */
        SENT,
        /** The end or a reset was sent. */
        ENDED
    }

    /** How an end was taken. */
    public enum Ending {
        /** All is well. */
        WHOLE,
        /** Fewer bytes than the content-length said: the stream was reset. */
        SHORT,
        /** More bytes than the content-length said: the surplus was not sent. */
        LONG
    }

    private static final int HOLD = 16 << 10;
    private static final int CHUNK = 64 << 10;
    private static final long PATIENCE_NANOS = 2_000_000;
    /** One arena without caches per thread: each fiber is a thread, and all of an owner's run on one anyway. */
    private static final ByteBufAllocator BUFFERS = new PooledByteBufAllocator(true, 0, 1, 8192, 8, 0, 0, false);

    private static final byte[] CONTENT_LENGTH = "content-length".getBytes(StandardCharsets.US_ASCII);

    private final Stream stream;
    private final Outbox outbox;
    private State state = State.NONE;
    private HeaderBlock head;
    private boolean bodiless;
    private boolean sized;
    private boolean surplus;
    private long remaining = -1;
    private byte[] held = {};
    private int heldLength;
    private long heldSince;
    private boolean pending;

    Response(Stream stream, Outbox outbox) {
        this.stream = stream;
        this.outbox = outbox;
    }

    /**
     * Names the head. It leaves at the end of this turn, or with the body if that is whole before.
     *
     * @param head a block of its own
     * @param contentLength bytes of body that the head announces, -1 when it does not
     * @param mayAddLength whether a content-length may be added when the body is whole early
     */
    public void begin(HeaderBlock head, long contentLength, boolean mayAddLength) {
        this.head = head;
        this.remaining = contentLength;
        this.sized = mayAddLength;
        state = State.HELD;
        pend();
    }

    /** Names the head of a response that has no body whatever the head says. */
    public void beginBodiless(HeaderBlock head) {
        begin(head, -1, false);
        bodiless = true;
    }

    /**
     * Appends body bytes; they are copied. Bytes beyond the content-length are dropped.
     *
     * @return how many were taken; fewer than given when there is no credit, and the caller waits for some
     */
    public int write(byte[] bytes, int at, int count) {
        int wanted = count;
        if (bodiless || state == State.ENDED) {
            return count;
        }
        if (remaining >= 0 && wanted > remaining) {
            wanted = (int) remaining;
            surplus = true;
        }
        int done = 0;
        while (done < wanted && stream.credit().isOpen()) {
            done += take(bytes, at + done, wanted - done);
        }
        if (remaining >= 0) {
            remaining -= done;
        }
        return done == wanted ? count : done;
    }

    /** Sends what is held back, without waiting for the end of the turn. */
    public void flush() {
        if (state == State.HELD || heldLength > 0) {
            leave();
            outbox.flush();
        }
    }

    /**
     * Ends the response.
     *
     * @param trailers null or empty for none
     * @param release whether this is also the owner's last word about the stream
     */
    public Ending finish(HeaderBlock trailers, boolean release) {
        if (state == State.ENDED) {
            return Ending.WHOLE;
        }
        if (remaining > 0 && !bodiless) {
            reset();
            return Ending.SHORT;
        }
        boolean trailing = trailers != null && trailers.count() > 0;
        if (state == State.HELD && !trailing) {
            finishHeld(release);
        } else {
            finishSent(trailing ? trailers : null, release);
        }
        state = State.ENDED;
        return surplus ? Ending.LONG : Ending.WHOLE;
    }

    /** Cuts the stream, so that the client sees that something is missing. */
    public void reset() {
        if (state == State.ENDED) {
            return;
        }
        if (state == State.HELD && heldLength == 0) {
            state = State.NONE;
        }
        leave();
        outbox.append(Layout.MESSAGE_RESET, stream.handle(), 0);
        state = State.ENDED;
    }

    /** Whether another response can still be given instead: no byte of this one has left or was written. */
    public boolean isRevocable() {
        return state == State.NONE || state == State.HELD && heldLength == 0;
    }

    /** Forgets a head that was held back. Only when {@link #isRevocable()}. */
    public void revoke() {
        state = State.NONE;
        head = null;
        bodiless = false;
        surplus = false;
        remaining = -1;
    }

    /** Whether the end or a reset was sent. */
    public boolean isEnded() {
        return state == State.ENDED;
    }

    @Override
    public void leave() {
        pending = false;
        if (stream.isClosed()) {
            heldLength = 0;
            return;
        }
        if (state == State.HELD) {
            outbox.begin(Layout.MESSAGE_HEAD, stream.handle(), 0, head, 0);
            outbox.end();
            head = null;
            state = State.SENT;
        }
        if (heldLength > 0 && state == State.SENT) {
            sendHeld(0);
        }
    }

    private int take(byte[] bytes, int at, int most) {
        int count = most > HOLD && outbox.isBudgetSpent() ? HOLD : most;
        if (heldLength + count <= HOLD) {
            hold(bytes, at, count);
            return count;
        }
        leave();
        if (count <= HOLD) {
            hold(bytes, at, count);
            return count;
        }
        int size = Math.min(count, CHUNK);
        lend(bytes, at, size);
        return size;
    }

    private void hold(byte[] bytes, int at, int count) {
        if (heldLength + count > held.length) {
            held = Arrays.copyOf(held, Math.min(HOLD, Math.max(heldLength + count, 2 * held.length)));
        }
        System.arraycopy(bytes, at, held, heldLength, count);
        heldLength += count;
        long now = System.nanoTime();
        if (!pending) {
            pend();
            heldSince = now;
        } else if (now - heldSince > PATIENCE_NANOS) {
            heldSince = now;
            flush();
        }
    }

    private void pend() {
        if (!pending) {
            pending = true;
            heldSince = System.nanoTime();
            outbox.pend(this);
        }
    }

    private void sendHeld(int flags) {
        outbox.begin(Layout.MESSAGE_DATA, stream.handle(), flags, null, heldLength);
        outbox.body(held, 0, heldLength);
        outbox.end();
        stream.credit().spend(heldLength);
        heldLength = 0;
    }

    private void lend(byte[] bytes, int at, int count) {
        ByteBuf buffer = BUFFERS.directBuffer(count);
        buffer.writeBytes(bytes, at, count);
        long address =
                MemorySegment.ofBuffer(buffer.internalNioBuffer(0, count)).address();
        outbox.appendReference(stream.handle(), 0, address, count);
        stream.credit().spend(count, buffer);
    }

    private void finishHeld(boolean release) {
        int flags = Layout.MESSAGE_END_STREAM | lastWord(release);
        if (bodiless) {
            outbox.begin(Layout.MESSAGE_HEAD, stream.handle(), flags, head, 0);
        } else {
            if (sized && remaining < 0) {
                head.add(CONTENT_LENGTH, Integer.toString(heldLength).getBytes(StandardCharsets.US_ASCII));
            }
            outbox.begin(Layout.MESSAGE_COMPLETE, stream.handle(), flags, head, heldLength);
            outbox.body(held, 0, heldLength);
        }
        outbox.end();
        heldLength = 0;
        head = null;
    }

    private void finishSent(HeaderBlock trailers, boolean release) {
        if (trailers == null) {
            sendLast(Layout.MESSAGE_END_STREAM | lastWord(release));
            return;
        }
        leave();
        int flags = Layout.MESSAGE_END_STREAM | lastWord(release);
        outbox.begin(Layout.MESSAGE_TRAILERS, stream.handle(), flags, trailers, 0);
        outbox.end();
    }

    private void sendLast(int flags) {
        sendHeld(flags);
    }

    /** The stream may be let go with the end unless the worker still reads buffers of ours. */
    private int lastWord(boolean release) {
        return release && stream.releaseWithEnd() ? Layout.MESSAGE_RELEASES : 0;
    }
}
