// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * SIGTERM: what is in flight finishes, what comes is served or refused politely, and the process ends with status 0. The
 * property jruvoy.e2e.exits says how often the ends are tried that a race could spoil.
 */
class DrainIT {
    private static final int REQUESTS_PER_CONNECTION = 12;
    private static final List<String> PATHS = List.of("/ping", "/big", "/count");

    private enum Idle {
        NOTHING,
        OPEN_HTTP1,
        OPEN_HTTP2,
        TERM_TWICE,
        INTERRUPT
    }

    @Test
    void requestsInFlightFinishWhileOthersAreServed() {
        try (ServerProcess server = ServerLaunch.serve("drain").ready();
                Http1Socket held = new Http1Socket(server.port);
                Http1Socket download = new Http1Socket(server.port);
                Http2Socket second = new Http2Socket(server.port)) {
            held.get("/hold/gate");
            download.get("/parts/gate").head();
            assertEquals("one", download.chunksUntil(3));
            int upload = second.open("POST", "/count", false);
            second.data(upload, new byte[5], false);
            Eventually.holds("a held request", () -> server.journal("gate").contains("started"));
            server.terminate();
            Eventually.pause(300);
            server.terminate();
            assertEquals("pong", server.get("/ping").text(), "a new request while old ones run");
            second.data(upload, new byte[5], true);
            assertEquals("10", second.answer(upload).text());
            server.open("gate");
            assertEquals("held", held.answer().text());
            assertEquals("two", download.chunksUntil(3));
            assertEquals(0, server.exitStatus(), server::tail);
            assertEquals(1, server.linesWith("at_exit has run").size(), server::tail);
        }
    }

    @Test
    void stuckRequestIsCutAtTheDeadline() {
        try (ServerProcess server =
                        ServerLaunch.serve("drain", "--drain-timeout", "1s").ready();
                Http1Socket stuck = new Http1Socket(server.port)) {
            stuck.get("/stuck/stuck");
            Eventually.holds("a stuck request", () -> server.journal("stuck").contains("started"));
            assertEquals(0, server.stop(), server::tail);
            assertFalse(server.linesWith("ensure has run").isEmpty(), server::tail);
            assertFalse(server.linesWith("at_exit has run").isEmpty(), server::tail);
            String got = new String(stuck.take(12), StandardCharsets.ISO_8859_1);
            assertTrue(got.isEmpty() || got.equals("HTTP/1.1 503"), got);
        }
    }

    private static IntStream rounds() {
        return IntStream.range(0, Integer.getInteger("jruvoy.e2e.exits", 5));
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void idleServerEndsWell(int round) {
        Idle how = Idle.values()[round % Idle.values().length];
        try (ServerProcess server = ServerLaunch.serve("drain").ready()) {
            switch (how) {
                case NOTHING -> server.terminate();
                case OPEN_HTTP1 -> endsWithOpenHttp1(server);
                case OPEN_HTTP2 -> endsWithOpenHttp2(server);
                case TERM_TWICE -> {
                    server.terminate();
                    Eventually.pause(4);
                    server.terminate();
                }
                case INTERRUPT -> server.signal("INT");
                default -> throw new IllegalArgumentException(how.toString());
            }
            assertEndsWell(server);
        }
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void loadedServerEndsWellAndCutsNothing(int round) {
        try (ServerProcess server = ServerLaunch.serve("drain").ready()) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong answered = new AtomicLong();
            List<Future<Boolean>> clients = Swarm.startAll(
                    12,
                    index -> index % 4 == 3
                            ? loadHttp2(server, over, answered)
                            : loadHttp1(server, index, over, answered));
            Eventually.holds("load", () -> answered.get() > 50L * (round % 5 + 1));
            server.terminate();
            if (round % 2 == 0) {
                server.terminate();
            }
            assertEndsWell(server);
            over.set(true);
            clients.forEach(client -> assertTrue(Swarm.result(client)));
        }
    }

    private static void assertEndsWell(ServerProcess server) {
        assertEquals(0, server.exitStatus(), server::tail);
        assertEquals(List.of(), server.linesWith("[error]"));
        assertEquals(List.of(), server.linesWith("[critical]"));
        assertEquals(1, server.linesWith("at_exit has run").size(), server::tail);
    }

    private static void endsWithOpenHttp1(ServerProcess server) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals("pong", socket.get("/ping").answer().text());
            server.terminate();
            assertEquals(0, server.exitStatus(), server::tail);
        }
    }

    private static void endsWithOpenHttp2(ServerProcess server) {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            assertEquals("pong", socket.answer(socket.get("/ping")).text());
            server.terminate();
            assertEquals(0, server.exitStatus(), server::tail);
        }
    }

    /**
     * One client that asks until the server is gone. Every answer that began is whole, and is right or a refusal. Requests
     * that got nothing at all raced with the end of the process; that is the one thing a client must put up with.
     */
    private static boolean loadHttp1(ServerProcess server, int index, AtomicBoolean over, AtomicLong answered) {
        String path = PATHS.get(index % 3);
        while (!over.get()) {
            try (Http1Socket socket = new Http1Socket(server.port)) {
                while (true) {
                    HttpAnswer answer = index % 3 == 2
                            ? socket.post(path, new byte[70_000]).answer()
                            : socket.get(path).answer();
                    assertWhole(answer, path);
                    answered.incrementAndGet();
                }
            } catch (UncheckedIOException ended) {
                Eventually.pause(5);
            }
        }
        return true;
    }

    /** The same over HTTP/2; an answer without a status is one that got nothing. */
    private static boolean loadHttp2(ServerProcess server, AtomicBoolean over, AtomicLong answered) {
        while (!over.get()) {
            try (Http2Socket socket = new Http2Socket(server.port)) {
                for (int index = 0; index < REQUESTS_PER_CONNECTION && !socket.isGoneAway(); index++) {
                    String path = PATHS.get(index % 3);
                    int stream = socket.open(index % 3 == 2 ? "POST" : "GET", path, index % 3 != 2);
                    if (index % 3 == 2) {
                        socket.data(stream, new byte[70_000], true);
                    }
                    HttpAnswer answer = socket.answer(stream);
                    if (answer.status() == 0) {
                        break;
                    }
                    assertWhole(answer, path);
                    answered.incrementAndGet();
                }
            } catch (UncheckedIOException ended) {
                Eventually.pause(5);
            }
        }
        return true;
    }

    private static void assertWhole(HttpAnswer answer, String path) {
        assertTrue(answer.status() == 200 || answer.status() == 503, "status " + answer.status());
        assertTrue(answer.complete(), "a cut answer to " + path);
    }
}
