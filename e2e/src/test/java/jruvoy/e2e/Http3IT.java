// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bodies and trailers over HTTP/3 with the hand-written configuration; what an env tells is in {@link TlsIT}. */
class Http3IT {
    private static TlsServer server;

    @BeforeAll
    static void start() throws IOException, GeneralSecurityException, InterruptedException {
        server = new TlsServer("bodies");
    }

    @AfterAll
    static void stop() {
        assertEquals(0, server.process.stop(), server.process::tail);
        server.close();
    }

    @Test
    void responseBodiesAreExact() {
        Http3Client client = server.http3();
        List<String> kinds = List.of("one", "array", "each", "call");
        for (int index = 0; index < 12; index++) {
            int size = 1 + index * index * 9_000;
            client.get("/" + kinds.get(index % 4) + "?size=" + size + "&seed=" + index + "&cut=50000");
        }
        for (HttpAnswer answer : client.get("/file").answers()) {
            assertEquals(200, answer.status());
            assertTrue(answer.complete());
            assertEquals(answer.value("x-digest"), Digests.of(answer.body()));
        }
    }

    @Test
    void requestBodiesAreExact() {
        Random random = new Random(3);
        List<byte[]> bodies = List.of(
                new byte[0], Digests.bytes(random, 1), Digests.bytes(random, 70_000), Digests.bytes(random, 1_500_000));
        Http3Client client = server.http3();
        bodies.forEach(body -> client.post("/digest/read", body));
        bodies.forEach(body -> client.post("/mirror", body));
        List<HttpAnswer> answers = client.answers();
        for (int index = 0; index < bodies.size(); index++) {
            byte[] body = bodies.get(index);
            String told = body.length + " " + Digests.of(body);
            assertEquals(told, answers.get(index).text());
            assertArrayEquals(body, answers.get(bodies.size() + index).body());
        }
    }

    @Test
    void trailersPassBothWays() {
        HttpAnswer answer = server.http3()
                .post("/trailers", new byte[100_000], "x-end", "7", "x-other", "8")
                .answers()
                .getFirst();
        assertEquals("trailers:x-end=7,x-other=8", answer.text());
        assertEquals("abc", answer.trailer("x-sum"));
        assertEquals("done", answer.trailer("x-state"));
    }

    @Test
    void earlyAnswerIsWholeAndFailureIsAReset() {
        List<HttpAnswer> answers = server.http3()
                .post("/ignore", new byte[2_000_000])
                .get("/fail-later/h3")
                .get("/ping")
                .answers();
        assertEquals("not read", answers.get(0).text());
        assertFalse(answers.get(1).complete(), "a cut answer looks whole");
        assertEquals("pong", answers.get(2).text());
        Eventually.holds(
                "the body that failed is closed",
                () -> server.http3()
                        .get("/journal/h3")
                        .answers()
                        .getFirst()
                        .text()
                        .contains("close"));
    }
}
