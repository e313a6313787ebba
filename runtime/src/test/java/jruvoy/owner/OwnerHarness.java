// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jruvoy.bridge.EndReason;
import jruvoy.bridge.FakeNatives;
import jruvoy.bridge.Layout;
import jruvoy.bridge.RecordBuilder;
import jruvoy.settings.Settings;

/**
 * An app with its owners, which serve a rackup without Envoy: the test plays the worker.
 *
 * <p>Thread: a test's.
 */
final class OwnerHarness implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicLong handles = new AtomicLong(0x1000 - 64);
    private final WakingNatives natives;
    private final App app;
    private final String failure;

    private OwnerHarness(Path rackup, int owners, String mode) throws InterruptedException {
        natives = new WakingNatives(owners);
        System.setProperty("jruvoy.home", home().toString());
        Settings settings = new Settings(
                rackup.toString(),
                rackup.getParent().toString(),
                null,
                List.of(),
                Map.of("RACK_ENV", "test"),
                1024,
                owners,
                Duration.ofMillis(200),
                mode,
                16,
                256 << 10,
                64 << 20,
                30_000);
        app = App.start(natives, 1, settings);
        failure = natives.awaitStart();
    }

    /** Starts an owner for a rackup's text. */
    static OwnerHarness of(Path folder, String rackup) throws IOException, InterruptedException {
        return of(folder, rackup, 1);
    }

    /** Starts an owner for a rackup's text whose requests are served by threads. */
    static OwnerHarness threaded(Path folder, String rackup) throws IOException, InterruptedException {
        return new OwnerHarness(file(folder, rackup), 1, "threads");
    }

    /** Starts some owners for a rackup's text; requests go to them in turn. */
    static OwnerHarness of(Path folder, String rackup, int owners) throws IOException, InterruptedException {
        return new OwnerHarness(file(folder, rackup), owners, "fibers");
    }

    private static Path file(Path folder, String rackup) throws IOException {
        return Files.writeString(folder.resolve("config.ru"), rackup);
    }

    /** Where the gems are: scripts/setup puts them there. */
    static Path home() {
        return Path.of(System.getProperty("jruvoy.test.home", System.getProperty("jruvoy.root") + "/build/home"));
    }

    /** Why the app could not be loaded, or null. */
    String failure() {
        return failure;
    }

    /** The module that is not there. */
    WakingNatives natives() {
        return natives;
    }

    /** Passes the owner over whose turn it is. */
    void skip() {
        handles.addAndGet(64);
    }

    /** A GET arrives. @return its handle */
    long get(String path) {
        return send(new RecordBuilder().field(Layout.FIELD_PATH, path), Layout.EVENT_END_STREAM);
    }

    /** The head of a POST arrives. @return its handle */
    long post(String path) {
        return send(new RecordBuilder().field(Layout.FIELD_METHOD, "POST").field(Layout.FIELD_PATH, path), 0);
    }

    /** A request arrives. @return its handle */
    long send(RecordBuilder record, int flags) {
        long handle = handles.addAndGet(64);
        natives.request(handle, flags, record.build());
        return handle;
    }

    /** The next message, whichever stream it is for. */
    FakeNatives.Message next() throws InterruptedException {
        FakeNatives.Message message = natives.sent.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no message in " + PATIENCE.toSeconds() + " s");
        }
        return message;
    }

    /** All messages of a stream up to its release, while the worker takes every byte. */
    List<FakeNatives.Message> all(long handle) throws InterruptedException {
        List<FakeNatives.Message> all = new java.util.ArrayList<>();
        boolean released = false;
        while (!released) {
            FakeNatives.Message message = next();
            if (message.stream() != handle) {
                throw new AssertionError("a message of another stream: " + message);
            }
            all.add(message);
            released = message.releases();
            if (message.body().length > 0 && !released) {
                natives.credit(handle, message.body().length);
            }
            if (message.isEnd() && !released) {
                natives.closed(handle, EndReason.COMPLETED);
            }
        }
        return all;
    }

    /** Status and body of a whole answer. */
    String answer(long handle) throws InterruptedException {
        List<FakeNatives.Message> all = all(handle);
        StringBuilder text = new StringBuilder(String.valueOf(all.getFirst().header(":status"))).append(' ');
        all.forEach(each -> text.append(new String(each.body(), StandardCharsets.ISO_8859_1)));
        return text.toString();
    }

    /** Two answers that may come in any order, with their messages mixed; status and body of each. */
    void expect(long first, String answer, long second, String other) throws InterruptedException {
        Map<Long, String> answers = answers(2);
        if (!answers.equals(Map.of(first, answer, second, other))) {
            throw new AssertionError(answers.toString());
        }
    }

    /** So many answers, which may come in any order, with their messages mixed: status and body by handle. */
    Map<Long, String> answers(int count) throws InterruptedException {
        Map<Long, String> texts = new HashMap<>();
        int open = count;
        while (open > 0) {
            FakeNatives.Message message = next();
            String status = message.header(":status");
            texts.merge(message.stream(), (status == null ? "" : status + " ") + message.text(), String::concat);
            open -= message.releases() ? 1 : 0;
        }
        return texts;
    }

    /** Asks the app to end. */
    void stop() {
        app.stop();
    }

    @Override
    public void close() {
        stop();
        awaitEnd();
    }

    /** Waits until it has ended. */
    void awaitEnd() {
        try {
            if (!app.join(PATIENCE)) {
                throw new AssertionError("the app does not end");
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
