// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code Jruvoy.offload} in fibers mode: Java blocks a thread of a pool, and who leaves ends it. */
class OffloadIT {
    private static final int THREADS = 2;
    private static final int LIMIT = 8;

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer(
            "threads", "--threads", Integer.toString(THREADS), "--max-requests", Integer.toString(LIMIT));

    private final ServerProcess server = SHARED.process();

    @Test
    void requestsSayThatThereIsOneThread() {
        assertEquals("false", server.get("/multithread").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleep", "take", "park", "socket", "ruby", "queue", "async"})
    void clientThatLeavesEndsWhatBlocks(String block) {
        String key = "offload-" + block;
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/offload/" + key + "?in=" + block);
            awaits(key, block.equals("socket") ? "reading" : "started");
            assertEquals("pong", server.get("/ping").text());
            socket.abort();
        }
        awaits(key, "gone");
        List<String> journal = server.journal(key);
        assertTrue(journal.indexOf("ensure") < journal.indexOf("gone"), journal::toString);
        assertEquals(block.equals("socket"), journal.contains("on_cancel"), journal::toString);
    }

    @Test
    void slotIsTakenUntilTheWorkHasStopped() {
        String key = "offload-stubborn";
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/offload/" + key + "?in=stubborn");
            awaits(key, "busy");
            socket.abort();
        }
        awaits(key, "ignored");
        List<Http1Socket> others = IntStream.range(0, LIMIT - 1)
                .mapToObj(index -> new Http1Socket(server.port).get("/block/others?in=ruby"))
                .toList();
        try (Http1Socket surplus = new Http1Socket(server.port)) {
            Eventually.holds(
                    "all slots are taken", () -> surplus.get("/ping").answer().status() == 503);
        }
        others.forEach(Http1Socket::abort);
        Eventually.holds("there is room", () -> server.get("/open/" + key).status() == 200);
        awaits(key, "gone");
        assertTrue(server.journal(key).indexOf("stopped") < server.journal(key).indexOf("gone"));
    }

    @Test
    void callBeyondThePoolWaitsAndIsNeverRunWhenItsClientLeaves() {
        List<Http1Socket> holders = IntStream.range(0, THREADS)
                .mapToObj(index -> new Http1Socket(server.port).get("/offload/holder-" + index + "?in=take"))
                .toList();
        IntStream.range(0, THREADS).forEach(index -> awaits("holder-" + index, "started"));
        try (Http1Socket waiting = new Http1Socket(server.port)) {
            waiting.get("/offload/waiting?in=sleep");
            awaits("waiting", "came");
            waiting.abort();
        }
        awaits("waiting", "gone");
        holders.forEach(Http1Socket::abort);
        assertEquals(List.of("came", "gone"), server.journal("waiting"));
    }

    @Test
    void drainCutsWhatDoesNotEndAndTheServerExits() {
        try (ServerProcess own =
                        ServerLaunch.serve("threads", "--drain-timeout", "1s").ready();
                Http1Socket socket = new Http1Socket(own.port)) {
            socket.get("/offload/drained?in=sleep");
            Eventually.holds("blocked", () -> own.journal("drained").contains("started"));
            assertEquals(0, own.stop(), own::tail);
            assertEquals(503, socket.answer().status());
        }
    }

    private void awaits(String key, String event) {
        Eventually.holds(key + " " + event, () -> server.journal(key).contains(event));
    }
}
