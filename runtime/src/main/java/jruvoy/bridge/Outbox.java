// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What an owner sends to the workers: messages are gathered in one array and handed over by one call per turn, or
 * earlier when the array is full. Twin of {@code outbox.c}, which splits them up by stream.
 *
 * <p>Thread: the owner.
 */
public final class Outbox {
    /** What waits for the end of a turn before it leaves. Thread: the owner. */
    interface Pending {
        /** The turn ends: appends what must not wait for longer. */
        void leave();
    }

    private static final int FULL = 64 << 10;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Natives natives;
    private final List<Pending> pending = new ArrayList<>();
    private byte[] staged = new byte[2 * FULL];
    private int length;
    private int message;
    private MemorySegment memory = Arena.ofAuto().allocate(2L * FULL, Long.BYTES);

    /** An empty outbox. */
    public Outbox(Natives natives) {
        this.natives = natives;
    }

    /** Whether the process holds as many body bytes as it may. */
    boolean isBudgetSpent() {
        return natives.jruvoy_native_budget_spent() != 0;
    }

    /** Something that must leave when this turn ends, at the latest. */
    void pend(Pending response) {
        pending.add(response);
    }

    /** Sends everything, that which only waited for the end of the turn included. */
    public void flush() {
        for (int i = 0; i < pending.size(); i++) {
            pending.get(i).leave();
        }
        pending.clear();
        send();
    }

    /** A message without headers or body. */
    void append(int kind, long stream, int flags) {
        begin(kind, stream, flags, null, 0);
        end();
    }

    /** The app took so many request body bytes. */
    void appendCredit(long stream, int bytes) {
        begin(Layout.MESSAGE_CREDIT, stream, 0, null, 0);
        INT.set(staged, message + Layout.MESSAGE_AT_CREDIT, bytes);
        end();
    }

    /** Body bytes at an address, which stay there until credit has covered them or the stream is closed. */
    void appendReference(long stream, int flags, long address, int bytes) {
        begin(Layout.MESSAGE_DATA, stream, flags, null, 0);
        INT.set(staged, message + Layout.MESSAGE_AT_BODY_LENGTH, bytes);
        LONG.set(staged, message + Layout.MESSAGE_AT_BODY, address);
        end();
    }

    /**
     * Starts a message; {@link #body} must then be given exactly {@code bodyLength} bytes before {@link #end}.
     *
     * @param headers may be null
     */
    void begin(int kind, long stream, int flags, HeaderBlock headers, int bodyLength) {
        int size = Layout.MESSAGE_SIZE + (headers == null ? 0 : headers.size()) + bodyLength;
        room(size + Long.BYTES);
        message = length;
        INT.set(staged, message + Layout.MESSAGE_AT_KIND, kind);
        LONG.set(staged, message + Layout.MESSAGE_AT_STREAM, stream);
        INT.set(staged, message + Layout.MESSAGE_AT_FLAGS, flags);
        INT.set(staged, message + Layout.MESSAGE_AT_HEADER_COUNT, headers == null ? 0 : headers.count());
        INT.set(staged, message + Layout.MESSAGE_AT_BODY_LENGTH, bodyLength);
        INT.set(staged, message + Layout.MESSAGE_AT_CREDIT, 0);
        LONG.set(staged, message + Layout.MESSAGE_AT_BODY, 0L);
        length = message + Layout.MESSAGE_SIZE;
        if (headers != null) {
            length = headers.write(staged, length);
        }
    }

    /** Appends bytes to the body of the message that was begun. */
    public void body(byte[] bytes, int at, int count) {
        System.arraycopy(bytes, at, staged, length, count);
        length += count;
    }

    /** Ends the message that was begun. */
    public void end() {
        int padded = (length + Long.BYTES - 1) & -Long.BYTES;
        Arrays.fill(staged, length, padded, (byte) 0);
        length = padded;
        INT.set(staged, message + Layout.MESSAGE_AT_TOTAL, length - message);
    }

    /** Messages are never split, so a single large one may widen the array. */
    private void room(int size) {
        if (length > 0 && length + size > FULL) {
            send();
        }
        if (length + size > staged.length) {
            staged = Arrays.copyOf(staged, length + size);
        }
    }

    private void send() {
        if (length == 0) {
            return;
        }
        if (memory.byteSize() < length) {
            memory = Arena.ofAuto().allocate(staged.length, Long.BYTES);
        }
        MemorySegment.copy(staged, 0, memory, ValueLayout.JAVA_BYTE, 0, length);
        int run = length;
        length = 0;
        natives.jruvoy_native_send(memory.address(), run);
    }
}
