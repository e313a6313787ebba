// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Answers that are there before the request has ended: the client gets them whole, and an HTTP/1 connection goes on when
 * the rest of the request is small enough to be thrown away.
 */
class EarlyAnswerIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("bodies");

    private static final int HALF_MIB = 1 << 19;
    private static final int TOO_MUCH = 3 << 20;

    private final ServerProcess server = SHARED.process();

    @Test
    void connectionGoesOnAfterAnUnreadBodyWithLength() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            for (int round = 0; round < 3; round++) {
                HttpAnswer answer = socket.post("/ignore", new byte[HALF_MIB]).answer();
                assertEquals("not read", answer.text());
                assertNull(answer.value("connection"));
            }
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }

    @Test
    void connectionGoesOnAfterAnUnreadChunkedBody() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.postChunked("/ignore");
            for (int sent = 0; sent < HALF_MIB; sent += 65_536) {
                socket.chunk(new byte[65_536], 0, 65_536);
            }
            assertEquals("not read", socket.chunk("").answer().text());
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }

    @Test
    void connectionGoesOnWhenTheBodyComesLate() throws InterruptedException {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/ignore", "content-length: " + HALF_MIB).send(new byte[1_000]);
            Thread.sleep(300);
            assertEquals(
                    "not read", socket.send(new byte[HALF_MIB - 1_000]).answer().text());
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }

    @Test
    void connectionGoesOnWhenTheClientExpectsToContinue() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/ignore", "content-length: 300000", "expect: 100-continue");
            assertEquals(100, socket.head().status());
            assertEquals("not read", socket.send(new byte[300_000]).answer().text());
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }

    @Test
    void clientThatNeverSendsTheRestGetsItsAnswer() {
        long start = System.nanoTime();
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/ignore", "content-length: " + HALF_MIB).send("some");
            assertEquals("not read", socket.answer().text());
            assertTrue(socket.endsHere());
        }
        assertTrue(System.nanoTime() - start < Duration.ofSeconds(8).toNanos());
    }

    @Test
    void answerDoesNotWaitForABodyThatIsTooLong() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/ignore", "content-length: " + TOO_MUCH).send("some");
            HttpAnswer answer = socket.answer();
            assertEquals("not read", answer.text());
            assertEquals("close", answer.value("connection"));
        }
    }

    @Test
    void streamedAnswerIsWholeThoughTheClientStillSends() throws InterruptedException {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/two-parts/early-1", "content-length: " + HALF_MIB);
            HttpAnswer head = socket.head();
            assertEquals("one", socket.chunksUntil(3));
            server.open("early-1");
            assertEquals("two", socket.chunksUntil(3));
            for (int sent = 0; sent < HALF_MIB; sent += HALF_MIB / 8) {
                socket.send(new byte[HALF_MIB / 8]);
                Thread.sleep(20);
            }
            assertEquals("close", head.value("connection"));
            assertNull(socket.nextChunk());
        }
    }

    @Test
    void http2AnswersAtOnce() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.open("POST", "/ignore", false);
            assertEquals("not read", socket.answer(stream).text());
            assertEquals("pong", socket.answer(socket.get("/ping")).text());
        }
    }
}
