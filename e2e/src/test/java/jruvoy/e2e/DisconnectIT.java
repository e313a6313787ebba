// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that leave: the handler is interrupted where it waits, cleans up, and gives its slot back. */
class DisconnectIT {
    private static final int LIMIT = 12;

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("disconnect", "--max-requests", Integer.toString(LIMIT));

    private final ServerProcess server = SHARED.process();

    @ParameterizedTest
    @ValueSource(strings = {"sleep", "forever", "queue", "condition", "socket", "thread"})
    void waitInTheHandlerIsInterrupted(String wait) {
        String key = "handler-" + wait;
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/wait/" + key + "?in=" + wait);
            Eventually.holds("the handler waits", () -> server.journal(key).contains("started"));
            socket.abort();
        }
        assertUnwound(key);
        Eventually.holds("callback", () -> server.journal(key).contains("callback error"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleep", "queue", "socket"})
    void waitInTheBodyIsInterruptedAndTheBodyClosed(String wait) {
        String key = "body-" + wait;
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/stream/" + key + "?in=" + wait).head();
            assertEquals("begun", socket.chunksUntil(5));
            socket.abort();
        }
        Eventually.holds("close", () -> server.journal(key).contains("close"));
        assertUnwound(key);
        assertEquals(1, Collections.frequency(server.journal(key), "close"));
    }

    @Test
    void writerThatWaitsForTheReaderIsInterrupted() {
        try (Http1Socket socket = new Http1Socket(server.port, 65_536)) {
            socket.get("/endless/writer").head();
            Eventually.pause(300);
            socket.abort();
        }
        assertUnwound("writer");
    }

    @Test
    void readerThatWaitsForTheClientIsInterrupted() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/upload/reader", "content-length: 1000").send("only this");
            Eventually.holds("the handler waits", () -> server.journal("reader").contains("started"));
            socket.abort();
        }
        assertUnwound("reader");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleep", "forever", "queue", "condition", "socket", "thread"})
    void waitIsInterruptedByAReset(String wait) {
        String key = "reset-" + wait;
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.get("/wait/" + key + "?in=" + wait);
            Eventually.holds("the handler waits", () -> server.journal(key).contains("started"));
            socket.reset(stream);
            assertUnwound(key);
            Eventually.holds("callback", () -> server.journal(key).contains("callback error"));
            assertEquals("pong", socket.answer(socket.get("/ping")).text());
        }
    }

    @Test
    void writerWithoutWindowIsInterruptedByAReset() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            socket.keepWindows();
            int stream = socket.get("/endless/writer-h2");
            socket.received(stream, Http2Socket.FIRST_WINDOW);
            Eventually.pause(300);
            socket.reset(stream);
            assertUnwound("writer-h2");
        }
    }

    @Test
    void readerOfAnUploadIsInterruptedByAReset() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.open("POST", "/upload/reader-h2", false);
            socket.data(stream, new byte[10], false);
            Eventually.holds(
                    "the handler waits", () -> server.journal("reader-h2").contains("started"));
            socket.reset(stream);
            assertUnwound("reader-h2");
        }
    }

    @Test
    void closedConnectionIsADisconnectToo() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/wait/closed?in=sleep");
            Eventually.holds("the handler waits", () -> server.journal("closed").contains("started"));
        }
        assertUnwound("closed");
    }

    @Test
    void resetStreamIsInterruptedAndItsNeighbourIsNot() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int reset = socket.get("/wait/reset?in=sleep");
            int upload = socket.open("POST", "/upload/neighbour", false);
            socket.data(upload, new byte[10], false);
            Eventually.holds("the handler waits", () -> server.journal("reset").contains("started"));
            socket.reset(reset);
            assertUnwound("reset");
            socket.data(upload, new byte[10], true);
            assertEquals("20", socket.answer(upload).text());
        }
        assertTrue(server.journal("neighbour").contains("finished"));
    }

    @Test
    void slotsOfLeaversAreGivenBack() {
        for (int round = 0; round < 5; round++) {
            String key = "leavers-" + round;
            List<Http1Socket> sockets = Swarm.all(LIMIT - 1, index -> {
                Http1Socket socket = new Http1Socket(server.port);
                return socket.get("/wait/" + key + "?in=forever");
            });
            Eventually.holds("all wait", () -> occurrences(key, "started") == LIMIT - 1);
            sockets.forEach(Http1Socket::abort);
            Eventually.holds("all unwound", () -> occurrences(key, "ensure") == LIMIT - 1);
        }
        nothingLeft();
    }

    @Test
    void stormOfAbortsLeavesNothing() {
        Swarm.all(8, worker -> {
            Random random = new Random(worker);
            for (int round = 0; round < 60; round++) {
                storm(random);
            }
            return true;
        });
        nothingLeft();
        assertEquals("pong", server.get("/ping").text());
    }

    @Test
    void stormOfResetsLeavesNothing() {
        Random random = new Random(5);
        for (int round = 0; round < 40; round++) {
            try (Http2Socket socket = new Http2Socket(server.port)) {
                for (int index = 0; index < 20; index++) {
                    int stream = socket.get("/counted/resets");
                    if (random.nextBoolean()) {
                        socket.reset(stream);
                    }
                }
                socket.readFor(1 + random.nextInt(20));
                socket.abort();
            }
        }
        nothingLeft();
    }

    private void storm(Random random) {
        String request = "GET /counted/storm HTTP/1.1\r\nhost: localhost\r\n\r\n";
        String upload = "POST /upload/storm-upload HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n\r\nsome";
        String endless = "GET /endless/storm-endless HTTP/1.1\r\nhost: localhost\r\n\r\n";
        String chosen =
                List.of(request, request + request + request, upload, endless).get(random.nextInt(4));
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.send(random.nextInt(5) == 0 ? chosen.substring(0, random.nextInt(chosen.length())) : chosen);
            if (random.nextBoolean()) {
                Eventually.pause(random.nextInt(15));
            }
            socket.abort();
        } catch (UncheckedIOException cut) {
            assertTrue(server.isAlive(), server::tail);
        }
    }

    private void assertUnwound(String key) {
        Eventually.holds(key + " unwound", () -> server.journal(key).contains("ensure"));
        assertFalse(server.journal(key).contains("finished"), "the handler ran to its end");
        assertEquals(1, occurrences(key, "ensure"));
    }

    /** Every slot is free again: as many requests as there are slots are served at once. */
    private void nothingLeft() {
        Eventually.holds(
                "all slots free",
                () -> Swarm.all(LIMIT, index -> server.get("/counted/room")).stream()
                        .allMatch(answer -> answer.status() == 200));
    }

    private int occurrences(String key, String event) {
        return Collections.frequency(server.journal(key), event);
    }
}
