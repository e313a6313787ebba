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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGTERM: what is in flight finishes, what comes is served or refused politely, and the process ends with status 0. */
class DrainIT {
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

    @ParameterizedTest
    @EnumSource(Idle.class)
    void idleServerEndsWell(Idle how) {
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
            assertEquals(0, server.exitStatus(), server::tail);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void loadedServerEndsWellAndCutsNothing(int round) {
        try (ServerProcess server = ServerLaunch.serve("drain").ready()) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong answered = new AtomicLong();
            List<Future<Boolean>> clients = Swarm.startAll(12, index -> load(server, index, over, answered));
            Eventually.holds("load", () -> answered.get() > 50L * round);
            server.terminate();
            if (round % 2 == 0) {
                server.terminate();
            }
            assertEquals(0, server.exitStatus(), server::tail);
            over.set(true);
            clients.forEach(client -> assertTrue(Swarm.result(client)));
        }
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
    private static boolean load(ServerProcess server, int index, AtomicBoolean over, AtomicLong answered) {
        String path = List.of("/ping", "/big", "/count").get(index % 3);
        while (!over.get()) {
            try (Http1Socket socket = new Http1Socket(server.port)) {
                while (true) {
                    HttpAnswer answer = index % 3 == 2
                            ? socket.post(path, new byte[70_000]).answer()
                            : socket.get(path).answer();
                    assertTrue(answer.status() == 200 || answer.status() == 503, "status " + answer.status());
                    assertTrue(answer.complete(), "a cut answer to " + path);
                    answered.incrementAndGet();
                }
            } catch (UncheckedIOException ended) {
                Eventually.pause(5);
            }
        }
        return true;
    }
}
