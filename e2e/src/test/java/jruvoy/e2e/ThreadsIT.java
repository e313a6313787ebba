// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In {@code mode: threads} a handler may block in Java: others run beside it, and who leaves ends it. */
class ThreadsIT {
    private static final int THREADS = 3;
    private static final int LIMIT = 8;
    /** As it is unless set. */
    private static final int STALL_LIMIT_MS = 1000;

    /** Waits of Ruby, by their names in the rackup. */
    private static final List<String> WAITS = List.of(
            "sleep",
            "sleep_timed",
            "stop",
            "mutex",
            "mutex_sleep",
            "monitor",
            "condition",
            "monitor_condition",
            "queue",
            "queue_timed",
            "sized_queue",
            "sized_queue_pop",
            "queue_used",
            "join",
            "join_timed",
            "value",
            "select",
            "read",
            "gets",
            "readpartial",
            "wait_readable",
            "write",
            "accept",
            "process",
            "system",
            "masked",
            "next",
            "next_often",
            "next_short",
            "next_nested",
            "next_late",
            "next_waits",
            "next_reads",
            "resume",
            "sync",
            "require");

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer(
            "threads",
            "--mode",
            "threads",
            "--threads",
            Integer.toString(THREADS),
            "--max-requests",
            Integer.toString(LIMIT));

    private final ServerProcess server = SHARED.process();

    @Test
    void requestsSayThatThereAreThreads() {
        assertEquals("true", server.get("/multithread").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleep", "take", "park", "socket", "ruby", "queue", "async"})
    void clientThatLeavesEndsWhatBlocks(String block) {
        String key = "block-" + block;
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/block/" + key + "?in=" + block);
            awaits(key, "started");
            socket.abort();
        }
        awaits(key, "ensure");
        assertEquals(1, Collections.frequency(server.journal(key), "ensure"));
        assertEquals("pong", server.get("/ping").text());
    }

    @Test
    void cancelThatComesBeforeThereIsASchedulerIsRaisedUnderIt() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/block/early?in=early");
            awaits("early", "started");
            socket.abort();
        }
        awaits("early", "ensure");
        assertEquals(List.of("started", "error Jruvoy::Cancelled", "ensure"), server.journal("early"));
    }

    @ParameterizedTest
    @FieldSource("WAITS")
    void cancelThatComesBeforeAWaitIsRaisedThere(String wait) {
        leave("wait-" + wait, "in=" + wait + "&cancel=before", 0);
    }

    @ParameterizedTest
    @FieldSource("WAITS")
    void cancelEndsAWait(String wait) {
        leave("waiting-" + wait, "in=" + wait + "&cancel=during", 150);
    }

    /** The cancel meets a fiber anywhere between its wait and the switch to who has resumed it. */
    @ParameterizedTest
    @ValueSource(strings = {"next_often", "next_short"})
    void cancelThatMeetsASwitchOfFibersIsNotLost(String wait) {
        for (int round = 0; round < 200; round++) {
            leave("switch-" + wait + round, "in=" + wait + "&cancel=during", round % 10);
        }
    }

    private void leave(String key, String query, int pause) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/wait/" + key + "?" + query);
            awaits(key, "started");
            Eventually.pause(pause);
            socket.abort();
        }
        awaits(key, "ensure");
        assertEquals(List.of("started", "error Jruvoy::Cancelled", "ensure"), server.journal(key));
    }

    @Test
    void slotIsTakenUntilTheWorkHasStopped() {
        String key = "stubborn";
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/block/" + key + "?in=stubborn");
            awaits(key, "busy");
            socket.abort();
        }
        awaits(key, "ignored");
        List<Http1Socket> others = IntStream.range(0, LIMIT - 1)
                .mapToObj(index -> new Http1Socket(server.port).get("/block/stubborn-" + index + "?in=sleep"))
                .toList();
        try (Http1Socket surplus = new Http1Socket(server.port)) {
            Eventually.holds(
                    "all slots are taken", () -> surplus.get("/ping").answer().status() == 503);
        }
        others.forEach(Http1Socket::abort);
        Eventually.holds("there is room", () -> server.get("/open/" + key).status() == 200);
        awaits(key, "stopped");
    }

    @Test
    void requestBeyondThePoolWaitsAndIsNeverRunWhenItLeaves() {
        List<Http1Socket> holders = IntStream.range(0, THREADS)
                .mapToObj(index -> new Http1Socket(server.port).request("POST", "/echo", "content-length: 1"))
                .toList();
        try {
            holders.forEach(Http1Socket::head);
            Future<HttpAnswer> second;
            try (Http1Socket gone = new Http1Socket(server.port)) {
                gone.get("/note/gone");
                second = Swarm.start(() -> server.get("/note/second"));
                Eventually.pause(200);
                assertFalse(second.isDone(), "there was a thread more than there may be");
                gone.abort();
            }
            Eventually.pause(200);
            holders.forEach(holder -> holder.send("x").chunksUntil(1));
            assertEquals("noted", Swarm.result(second).text());
        } finally {
            holders.forEach(Http1Socket::close);
        }
        assertEquals(List.of(), server.journal("gone"));
    }

    @Test
    void threadKeepsNothingOfARequest() {
        for (int round = 0; round < 4 * THREADS; round++) {
            assertEquals(
                    "[0, 0, \"request\", 0, nil, nil, false]",
                    server.get("/left").text());
        }
    }

    @Test
    void largeAnswersGiveTheirSlotsBack() {
        for (int round = 0; round < 3 * LIMIT; round++) {
            assertEquals(300_000, server.get("/large").text().length());
        }
    }

    @Test
    void leaverClosesNoFileThatOthersWrite() {
        for (int round = 0; round < 50; round++) {
            String key = "write-" + round;
            try (Http1Socket socket = new Http1Socket(server.port)) {
                socket.get("/write/" + key + "?for=ever");
                awaits(key, "started");
                socket.abort();
            }
            awaits(key, "error Jruvoy::Cancelled");
        }
        assertEquals("written", server.get("/write/last").text());
    }

    @Test
    void threadThatBlocksHoldsNoOwner() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/block/held?in=sleep");
            awaits("held", "started");
            Eventually.pause(3 * STALL_LIMIT_MS);
            socket.abort();
        }
        awaits("held", "ensure");
        assertFalse(server.log().contains("has been held for"), server::tail);
    }

    @Test
    void threadsOfTwoOwnersServeAndAreCutWhenTheServerStops() {
        try (ServerProcess own = ServerLaunch.serve(
                                "threads",
                                "--mode",
                                "threads",
                                "--owners",
                                "2",
                                "--concurrency",
                                "2",
                                "--drain-timeout",
                                "1s")
                        .ready();
                Http1Socket socket = new Http1Socket(own.port)) {
            List<String> sums = Swarm.all(8, worker -> own.get("/async").text());
            assertEquals(Collections.nCopies(8, "3"), sums);
            socket.get("/block/drained?in=sleep");
            Eventually.holds("blocked", () -> own.journal("drained").contains("started"));
            assertEquals(0, own.stop(), own::tail);
            assertEquals(503, socket.answer().status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "thread_exit", "kill", "throw", "java", "error"})
    void handlerThatEndsOddlyCostsOneAnswer(String end) {
        for (int round = 0; round < 2 * THREADS; round++) {
            assertEquals(500, server.get("/end/" + end).status());
        }
        assertEquals("pong", server.get("/ping").text());
    }

    @Test
    void asyncWorksInAThread() {
        assertEquals("3", server.get("/async").text());
    }

    @Test
    void tasksOfAThreadUseItsStreamBesideEachOther() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/tasks", "content-length: 4").head();
            assertEquals("012", socket.chunksUntil(3));
            socket.send("read");
            assertEquals("read", socket.chunksUntil(4));
        }
    }

    @Test
    void uploadIsStreamedBothWays() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/echo", "content-length: 10").send("first");
            socket.head();
            assertEquals("first", socket.chunksUntil(5));
            socket.send("again");
            assertEquals("again", socket.chunksUntil(5));
        }
    }

    @Test
    void writerThatWaitsForTheReaderIsInterrupted() {
        try (Http1Socket socket = new Http1Socket(server.port, 65_536)) {
            socket.get("/stream/writer").head();
            Eventually.pause(300);
            socket.abort();
        }
        awaits("writer", "ensure");
        assertFalse(server.journal("writer").contains("finished"));
    }

    @Test
    void stormOfLeaversLeavesNoInterrupt() {
        List<Boolean> fine = Swarm.all(4, worker -> {
            for (int round = 0; round < 100; round++) {
                try (Http1Socket socket = new Http1Socket(server.port)) {
                    socket.get("/block/storm?in=" + (round % 2 == 0 ? "sleep" : "ruby"));
                    Eventually.pause(round % 7);
                    socket.abort();
                }
            }
            return true;
        });
        assertFalse(fine.contains(false));
        for (int round = 0; round < 4 * THREADS; round++) {
            Eventually.holds("a clean thread", () -> server.get("/left").text().endsWith("nil, false]"));
        }
    }

    private void awaits(String key, String event) {
        Eventually.holds(key + " " + event, () -> server.journal(key).contains(event));
    }
}
