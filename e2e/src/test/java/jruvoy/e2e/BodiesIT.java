// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies arrive byte for byte in both directions, whole or while they are made, and a cut one looks cut. */
class BodiesIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("bodies");

    private static final int[] SIZES = {0, 1, 16_383, 16_385, 65_535, 65_537, 262_144, 262_145, 1_048_577};

    private final ServerProcess server = SHARED.process();
    private final Random random = new Random(4711);

    @ParameterizedTest
    @ValueSource(strings = {"one", "array", "each", "call"})
    void responseBodiesOfAllSizesAreExact(String kind) {
        try (Http1Socket socket = new Http1Socket(server.port);
                Http2Socket second = new Http2Socket(server.port)) {
            for (int size : sizes()) {
                String path = "/" + kind + "?size=" + size + "&seed=" + size + "&cut=" + (1 + random.nextInt(90_000));
                if (size > 0 || !kind.equals("each")) {
                    exact(size, socket.get(path).answer());
                    exact(size, second.answer(second.get(path)));
                }
            }
        }
    }

    @Test
    void tinyChunksAreExact() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            exact(20_000, socket.get("/each?size=20000&seed=3&cut=3").answer());
            exact(20_000, socket.get("/call?size=20000&seed=3&cut=1").answer());
        }
    }

    @Test
    void bigBodiesAreExactSideBySide() {
        Swarm.all(8, worker -> {
            String kind = List.of("one", "array", "each", "call").get(worker % 4);
            int size = 2_000_000 + new Random(worker).nextInt(4_000_000);
            HttpAnswer answer = server.get("/" + kind + "?size=" + size + "&seed=" + worker);
            exact(size, answer);
            return true;
        });
    }

    @Test
    void fileIsExact() {
        HttpAnswer answer = server.get("/file");
        assertEquals("3000017", answer.value("content-length"));
        exact(3_000_017, answer);
    }

    @Test
    void wholeBodyHasALength() {
        assertEquals("70000", server.get("/one?size=70000&seed=1").value("content-length"));
        assertEquals("70000", server.get("/array?size=70000&seed=1").value("content-length"));
        assertEquals("chunked", server.get("/call?size=70000&seed=1").value("transfer-encoding"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "each", "gets", "1000", "65536", "1000000"})
    void requestBodiesOfAllSizesAreExact(String way) {
        try (Http1Socket socket = new Http1Socket(server.port);
                Http2Socket second = new Http2Socket(server.port)) {
            for (int size : sizes()) {
                byte[] body = Digests.bytes(random, size);
                String want = size + " " + Digests.of(body);
                assertEquals(want, socket.post("/digest/" + way, body).answer().text());
                socket.postChunked("/digest/" + way);
                sendInChunks(socket, body);
                assertEquals(want, socket.answer().text());
                int stream = second.open("POST", "/digest/" + way, false);
                second.data(stream, body, true);
                assertEquals(want, second.answer(stream).text());
            }
        }
    }

    @Test
    void bigUploadsAreExactSideBySide() {
        Swarm.all(6, worker -> {
            byte[] body = Digests.bytes(new Random(worker), 3_000_000 + worker * 777_777);
            try (Http1Socket socket = new Http1Socket(server.port)) {
                String answer = socket.post("/digest/50000", body).answer().text();
                assertEquals(body.length + " " + Digests.of(body), answer);
                return true;
            }
        });
    }

    @Test
    void uploadComesBackWhileItRuns() {
        byte[] body = Digests.bytes(random, 5_000_000);
        try (Http1Socket socket = new Http1Socket(server.port)) {
            var answer = Swarm.start(() -> {
                socket.postChunked("/mirror");
                sendInChunks(socket, body);
                return true;
            });
            HttpAnswer head = socket.head();
            assertArrayEquals(body, socket.rest(head).body());
            Swarm.result(answer);
        }
    }

    @Test
    void eachByteIsAnsweredBeforeTheNextIsSent() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.postChunked("/conversation").chunk("a");
            assertEquals(200, socket.head().status());
            assertEquals("A", socket.chunksUntil(1));
            assertEquals("B", socket.chunk("b").chunksUntil(1));
            assertEquals("CD", socket.chunk("cd").chunksUntil(2));
            assertEquals("!", socket.chunk("").chunksUntil(1));
        }
    }

    @Test
    void eachByteIsAnsweredBeforeTheNextIsSentOnHttp2() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.open("POST", "/conversation", false);
            for (int index = 1; index < 30; index++) {
                socket.data(stream, new byte[] {'q'}, false);
                assertEquals("Q".repeat(index), socket.received(stream, index).text());
            }
            socket.data(stream, new byte[0], true);
            HttpAnswer answer = socket.answer(stream);
            assertTrue(answer.complete());
            assertEquals("Q".repeat(29) + "!", answer.text());
        }
    }

    @Test
    void firstPartLeavesBeforeTheSecondIsMade() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.get("/two-parts/gate-1");
            assertEquals(200, socket.head().status());
            assertEquals("one", socket.chunksUntil(3));
            server.open("gate-1");
            assertEquals("two", socket.chunksUntil(3));
        }
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.get("/two-parts/gate-2");
            assertEquals("one", socket.received(stream, 3).text());
            server.open("gate-2");
            assertEquals("onetwo", socket.answer(stream).text());
        }
    }

    @Test
    void continueIsSaidBeforeTheBodyComes() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/digest/read", "content-length: 5", "expect: 100-continue");
            assertEquals(100, socket.head().status());
            assertEquals(
                    "5 " + Digests.of("hello".getBytes(StandardCharsets.UTF_8)),
                    socket.send("hello").answer().text());
        }
    }

    @Test
    void unreadBodyDoesNotSpoilTheConnection() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            for (int size : new int[] {10, 5_000, 100_000}) {
                assertEquals(
                        "not read",
                        socket.post("/ignore", new byte[size]).answer().text());
            }
        }
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.open("POST", "/ignore", false);
            socket.data(stream, new byte[100_000], true);
            assertEquals("not read", socket.answer(stream).text());
            assertEquals("pong", socket.answer(socket.get("/ping")).text());
        }
    }

    @Test
    void emptyBodyIsAnAnswer() {
        HttpAnswer answer = server.get("/empty/empty-1");
        assertEquals(200, answer.status());
        assertTrue(answer.complete());
        assertEquals("", answer.text());
    }

    @Test
    void bodyIsClosedOnce() {
        assertEquals("abc", server.get("/body/body-1").text());
        Eventually.holds("close", () -> server.journal("body-1").contains("close"));
        assertEquals(1, Collections.frequency(server.journal("body-1"), "close"));
    }

    @Test
    void failureBeforeTheFirstChunkIsA500() {
        HttpAnswer answer = server.get("/fail-first/fail-1");
        assertTrue(answer.status() == 500 || !answer.complete(), "status " + answer.status());
        assertFalse(answer.text().contains("secret"));
        Eventually.holds("close", () -> server.journal("fail-1").contains("close"));
    }

    @Test
    void failureInTheMiddleLooksCut() {
        HttpAnswer answer = server.get("/fail-later/fail-2");
        assertEquals(200, answer.status());
        assertFalse(answer.complete(), "the answer looks whole");
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.get("/fail-later/fail-3");
            assertFalse(socket.answer(stream).complete());
            assertTrue(socket.wasReset(stream));
            assertEquals("pong", socket.answer(socket.get("/ping")).text());
        }
        Eventually.holds("close", () -> Collections.frequency(server.journal("fail-2"), "close") == 1);
        Eventually.holds("close", () -> Collections.frequency(server.journal("fail-3"), "close") == 1);
        for (String key : List.of("fail-2", "fail-3")) {
            Eventually.holds(
                    "one line",
                    () -> server.linesWith("secret detail", "GET /fail-later/" + key)
                                    .size()
                            == 1);
        }
    }

    @Test
    void wrongLengthNeverSpoilsAConnection() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.get("/short/short-1").answer();
            assertFalse(answer.complete() && answer.status() == 200, "a short body looks whole");
        }
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.get("/long/long-1").answer();
            assertTrue(answer.status() == 500 || answer.text().equals("12345"), answer::text);
            byte[] more = socket.get("/ping").take(15);
            String next = new String(more, StandardCharsets.ISO_8859_1);
            assertTrue(next.isEmpty() || next.startsWith("HTTP/1.1 200 OK"), next);
        }
        assertEquals("pong", server.get("/ping").text());
    }

    @Test
    void trailersPassBothWays() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.open("POST", "/trailers", false);
            socket.data(stream, new byte[10], false);
            socket.trailers(stream, "x-end", "7", "x-other", "8");
            HttpAnswer answer = socket.answer(stream);
            assertEquals("trailers:x-end=7,x-other=8", answer.text());
            assertEquals("abc", answer.trailer("x-sum"));
            assertEquals("done", answer.trailer("x-state"));
        }
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.postChunked("/trailers", "te: trailers").chunk("body").send("0\r\nx-end: 9\r\n\r\n");
            assertEquals("trailers:x-end=9", socket.answer().text());
        }
    }

    private void sendInChunks(Http1Socket socket, byte[] body) {
        int from = 0;
        while (from < body.length) {
            int length = Math.min(body.length - from, 1 + random.nextInt(50_000));
            socket.chunk(body, from, length);
            from += length;
        }
        socket.chunk("");
    }

    private int[] sizes() {
        int[] sizes = Arrays.copyOf(SIZES, SIZES.length + 4);
        for (int index = SIZES.length; index < sizes.length; index++) {
            sizes[index] = random.nextInt(600_000);
        }
        return sizes;
    }

    private static void exact(int size, HttpAnswer answer) {
        assertEquals(200, answer.status());
        assertTrue(answer.complete(), "cut after " + answer.body().length + " of " + size);
        assertEquals(size, answer.body().length);
        assertEquals(answer.value("x-digest"), Digests.of(answer.body()));
    }
}
