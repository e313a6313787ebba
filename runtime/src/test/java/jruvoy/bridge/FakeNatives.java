// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Stands in for the module: events are put in by a test, messages come out decoded. The layout is the real one, in
 * native memory.
 *
 * <p>Thread: any.
 */
public class FakeNatives implements Natives {
    /** A message that Java sent. */
    public record Message(
            int kind, long stream, int flags, Map<String, List<String>> headers, byte[] body, int credit) {
        /** Whether nothing of the response follows. */
        public boolean isEnd() {
            return (flags & Layout.MESSAGE_END_STREAM) != 0;
        }

        /** Whether the owner lets the stream go. */
        public boolean releases() {
            return kind == Layout.MESSAGE_RELEASE || (flags & Layout.MESSAGE_RELEASES) != 0;
        }

        /** The body as text. */
        public String text() {
            return new String(body, StandardCharsets.ISO_8859_1);
        }

        /** The only value of a header, or null. */
        public String header(String name) {
            List<String> values = headers.get(name);
            return values == null ? null : String.join("|", values);
        }
    }

    private record Event(int kind, int flags, long stream, byte[] data, long size) {}

    private final Arena arena = Arena.ofAuto();
    private final List<ConcurrentLinkedQueue<Event>> inboxes = new ArrayList<>();
    private final CountDownLatch decided = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile String failure;
    /** Everything that was sent, in order. */
    public final BlockingQueue<Message> sent = new LinkedBlockingQueue<>();
    /** How often send was called. */
    public volatile int sends;

    /** Whether the process's budget is spent. */
    public volatile boolean budgetSpent;

    /** Which owners were reported as lost. */
    public final BlockingQueue<Integer> lost = new LinkedBlockingQueue<>();

    private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();

    /** What was logged and holds a text, once the log is this one. */
    public List<String> logged(String text) {
        return log.stream().filter(line -> line.contains(text)).toList();
    }

    /** The module of an app with one owner. */
    public FakeNatives() {
        this(1);
    }

    /** The module of an app with several owners; a stream's handle says which of them has it, by {@link #ownerOf}. */
    protected FakeNatives(int owners) {
        for (int i = 0; i < owners; i++) {
            inboxes.add(new ConcurrentLinkedQueue<>());
        }
    }

    /** A request arrives. */
    public void request(long stream, int flags, byte[] record) {
        post(new Event(Layout.EVENT_NEW, flags, stream, record, record.length));
    }

    /** Bytes of its body arrive. */
    public void body(long stream, String text, boolean last) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        post(new Event(Layout.EVENT_BODY, last ? Layout.EVENT_END_STREAM : 0, stream, bytes, bytes.length));
    }

    /** Its trailers arrive. */
    public void trailers(long stream, byte[] record) {
        post(new Event(Layout.EVENT_TRAILERS, 0, stream, record, record.length));
    }

    /** The worker took body bytes. */
    public void credit(long stream, long bytes) {
        post(new Event(Layout.EVENT_CREDIT, 0, stream, null, bytes));
    }

    /** The stream is over. */
    public void closed(long stream, EndReason reason) {
        post(new Event(Layout.EVENT_CLOSED, reason.ordinal(), stream, null, 0));
    }

    /** The app must stop. */
    public void stop() {
        for (int owner = 0; owner < inboxes.size(); owner++) {
            post(owner, new Event(Layout.EVENT_STOP, 0, 0, null, 0));
        }
    }

    /** The owner that has a stream: handles are multiples of 64. */
    public int ownerOf(long stream) {
        return (int) (stream / 64 % inboxes.size());
    }

    /** Waits until the app is ready or has failed. @return null, or why it failed */
    public String awaitStart() throws InterruptedException {
        decided.await();
        return failure;
    }

    /** Waits until the app's owner has ended. */
    public void awaitStop() throws InterruptedException {
        stopped.await();
    }

    private void post(Event event) {
        post(ownerOf(event.stream()), event);
    }

    private void post(int owner, Event event) {
        inboxes.get(owner).add(event);
        wake(owner);
    }

    /** The owner whose inbox this is: its handle is one more than the owner's index. */
    protected static int indexOf(long inbox) {
        return (int) inbox - 1;
    }

    @Override
    public long jruvoy_native_next_app() {
        return 0;
    }

    @Override
    public long jruvoy_native_app_settings(long app) {
        return 0;
    }

    @Override
    public void jruvoy_native_app_ready(long app) {
        decided.countDown();
    }

    @Override
    public void jruvoy_native_app_failed(long app, String message) {
        failure = message;
        decided.countDown();
    }

    @Override
    public void jruvoy_native_owner_lost(long app, int index) {
        lost.add(index);
    }

    @Override
    public void jruvoy_native_app_stopped(long app) {
        stopped.countDown();
    }

    @Override
    public long jruvoy_native_app_inbox(long app, int index) {
        return index + 1;
    }

    @Override
    public int jruvoy_native_poll(long inbox, long address, int capacity) {
        ConcurrentLinkedQueue<Event> events = inboxes.get(indexOf(inbox));
        MemorySegment target = at(address, (long) capacity * Layout.EVENT_SIZE);
        int count = 0;
        for (Event event = count < capacity ? events.poll() : null; event != null; event = events.poll()) {
            long offset = (long) count++ * Layout.EVENT_SIZE;
            target.set(ValueLayout.JAVA_INT, offset + Layout.EVENT_AT_KIND, event.kind());
            target.set(ValueLayout.JAVA_INT, offset + Layout.EVENT_AT_FLAGS, event.flags());
            target.set(ValueLayout.JAVA_LONG, offset + Layout.EVENT_AT_STREAM, event.stream());
            target.set(ValueLayout.JAVA_LONG, offset + Layout.EVENT_AT_DATA, copy(event.data()));
            target.set(ValueLayout.JAVA_LONG, offset + Layout.EVENT_AT_SIZE, event.size());
            if (count == capacity) {
                break;
            }
        }
        return count;
    }

    @Override
    public int jruvoy_native_sleep(long inbox) {
        return inboxes.get(indexOf(inbox)).isEmpty() ? 1 : 0;
    }

    @Override
    public void jruvoy_native_awake(long inbox) {}

    @Override
    public int jruvoy_native_wake_descriptor(long inbox) {
        return -1;
    }

    /** Ends an owner's sleep. */
    protected void wake(int owner) {}

    @Override
    public void jruvoy_native_stop(long inbox) {
        post(indexOf(inbox), new Event(Layout.EVENT_STOP, 0, 0, null, 0));
    }

    @Override
    public void jruvoy_native_send(long messages, int length) {
        sends++;
        MemorySegment run = at(messages, length);
        for (long at = 0; at < length; ) {
            int total = run.get(ValueLayout.JAVA_INT, at + Layout.MESSAGE_AT_TOTAL);
            if (total <= 0 || total % 8 != 0) {
                throw new IllegalStateException("a message of " + total + " bytes");
            }
            sent.add(decode(run.asSlice(at, total)));
            at += total;
        }
    }

    @Override
    public long jruvoy_native_inflight_body_bytes() {
        return 0;
    }

    @Override
    public int jruvoy_native_budget_spent() {
        return budgetSpent ? 1 : 0;
    }

    @Override
    public int jruvoy_native_inflight_requests(long app) {
        return 0;
    }

    @Override
    public void jruvoy_native_log(int level, String line) {
        log.add(line);
        System.err.println(line);
    }

    @Override
    public int jruvoy_native_log_enabled(int level) {
        return 1;
    }

    @Override
    public long jruvoy_native_layout(int index) {
        long[] values = Layout.values();
        return index < values.length ? values[index] : -1;
    }

    private long copy(byte[] bytes) {
        if (bytes == null || bytes.length == 0) {
            return 0;
        }
        MemorySegment memory = arena.allocate(bytes.length);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return memory.address();
    }

    private static Message decode(MemorySegment message) {
        int count = message.get(ValueLayout.JAVA_INT, Layout.MESSAGE_AT_HEADER_COUNT);
        int bodyLength = message.get(ValueLayout.JAVA_INT, Layout.MESSAGE_AT_BODY_LENGTH);
        long body = message.get(ValueLayout.JAVA_LONG, Layout.MESSAGE_AT_BODY);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        long at = Layout.MESSAGE_SIZE + 8L * count;
        for (int i = 0; i < count; i++) {
            int name = message.get(ValueLayout.JAVA_INT, Layout.MESSAGE_SIZE + 8L * i);
            int value = message.get(ValueLayout.JAVA_INT, Layout.MESSAGE_SIZE + 8L * i + 4);
            headers.computeIfAbsent(text(message, at, name), key -> new ArrayList<>())
                    .add(text(message, at + name, value));
            at += name + value;
        }
        MemorySegment bytes = body == 0 ? message.asSlice(at, bodyLength) : at(body, bodyLength);
        return new Message(
                message.get(ValueLayout.JAVA_INT, Layout.MESSAGE_AT_KIND),
                message.get(ValueLayout.JAVA_LONG, Layout.MESSAGE_AT_STREAM),
                message.get(ValueLayout.JAVA_INT, Layout.MESSAGE_AT_FLAGS),
                headers,
                bytes.toArray(ValueLayout.JAVA_BYTE),
                message.get(ValueLayout.JAVA_INT, Layout.MESSAGE_AT_CREDIT));
    }

    private static String text(MemorySegment message, long at, int length) {
        return new String(message.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    @SuppressWarnings("restricted") // What Java sends lies where Java says.
    private static MemorySegment at(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }
}
