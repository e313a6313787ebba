// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Many workers, one owner: what has arrived for an owner, taken in batches. Twin of {@code inbox.c}.
 *
 * <p>Thread: the owner.
 */
public final class Inbox {
    /** Who is told what has arrived. Byte arrays belong to the receiver. Thread: the owner. */
    public interface Receiver {
        /**
         * A request was admitted.
         *
         * @param flags {@link Layout#EVENT_END_STREAM}, {@link Layout#EVENT_UPGRADE}
         */
        void request(long stream, int flags, byte[] record);

        /** Bytes of a request body, maybe none with {@code last}. */
        void body(long stream, byte[] bytes, boolean last);

        /** Trailers of a request; nothing of it follows. */
        void trailers(long stream, byte[] record);

        /** Envoy's side took so many response body bytes. */
        void credit(long stream, long bytes);

        /** The stream is over for Envoy. */
        void closed(long stream, EndReason reason);

        /** The app must stop. */
        void stop();
    }

    private static final int CAPACITY = 256;
    private static final MemorySegment MEMORY = allMemory();

    private final Natives natives;
    private final long inbox;
    private final MemorySegment events;

    /** Takes from owner {@code index} of an app, both as the module numbers them. */
    public Inbox(Natives natives, long app, int index) {
        this.natives = natives;
        this.inbox = natives.jruvoy_native_app_inbox(app, index);
        this.events = Arena.ofAuto().allocate((long) CAPACITY * Layout.EVENT_SIZE, Long.BYTES);
    }

    /**
     * Takes one batch and tells the receiver of each event in order.
     *
     * @return how many there were
     */
    public int poll(Receiver receiver) {
        int count = natives.jruvoy_native_poll(inbox, events.address(), CAPACITY);
        for (int i = 0; i < count; i++) {
            deliver((long) i * Layout.EVENT_SIZE, receiver);
        }
        return count;
    }

    /** Announces sleep: true when nothing has arrived, and from then on producers write the wake descriptor. */
    public boolean sleep() {
        return natives.jruvoy_native_sleep(inbox) == 1;
    }

    /** Ends the sleep. */
    public void awake() {
        natives.jruvoy_native_awake(inbox);
    }

    /** The descriptor that wakes a sleeping owner. Owned by C. */
    public int wakeDescriptor() {
        return natives.jruvoy_native_wake_descriptor(inbox);
    }

    /** Posts the end, behind what has arrived. Any thread, until the app has been reported as stopped. */
    public void stop() {
        natives.jruvoy_native_stop(inbox);
    }

    private void deliver(long at, Receiver receiver) {
        int flags = events.get(ValueLayout.JAVA_INT, at + Layout.EVENT_AT_FLAGS);
        long stream = events.get(ValueLayout.JAVA_LONG, at + Layout.EVENT_AT_STREAM);
        long data = events.get(ValueLayout.JAVA_LONG, at + Layout.EVENT_AT_DATA);
        long size = events.get(ValueLayout.JAVA_LONG, at + Layout.EVENT_AT_SIZE);
        switch (events.get(ValueLayout.JAVA_INT, at + Layout.EVENT_AT_KIND)) {
            case Layout.EVENT_NEW -> receiver.request(stream, flags, copy(data, size));
            case Layout.EVENT_BODY -> receiver.body(stream, copy(data, size), (flags & Layout.EVENT_END_STREAM) != 0);
            case Layout.EVENT_TRAILERS -> receiver.trailers(stream, copy(data, size));
            case Layout.EVENT_CREDIT -> receiver.credit(stream, size);
            case Layout.EVENT_CLOSED -> receiver.closed(stream, EndReason.of(flags));
            case Layout.EVENT_STOP -> receiver.stop();
            default -> Log.error("an event of an unknown kind was dropped");
        }
    }

    /** The bytes are C's until the next poll; Ruby may keep them for ever. */
    private static byte[] copy(long data, long size) {
        byte[] bytes = new byte[(int) size];
        if (size > 0) {
            MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, data, bytes, 0, bytes.length);
        }
        return bytes;
    }

    @SuppressWarnings("restricted") // The addresses come from the module, whose layout has been checked.
    private static MemorySegment allMemory() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }
}
