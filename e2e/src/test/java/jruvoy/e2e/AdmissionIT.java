// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** At most so many requests are in flight; the surplus is refused at once, without Ruby, and a slot comes back. */
class AdmissionIT {
    private static final int LIMIT = 4;

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("admission", "--max-requests", Integer.toString(LIMIT));

    private final ServerProcess server = SHARED.process();

    @Test
    void surplusIsRefusedWithoutRuby() {
        long before = server.count("called");
        List<Http1Socket> holders = fill("surplus");
        for (int index = 0; index < 50; index++) {
            assertRefusal(server.get("/quick"));
        }
        release("surplus", holders);
        assertEquals(before + LIMIT, server.count("called"), "the app was called for a refused request");
    }

    @Test
    void refusalKeepsTheConnection() {
        List<Http1Socket> holders = fill("keeps");
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertRefusal(socket.get("/ping").answer());
            assertRefusal(socket.post("/take", new byte[2_000]).answer());
            release("keeps", holders);
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }

    @Test
    void refusalSpeaksHttp2AndGrpc() {
        List<Http1Socket> holders = fill("grpc");
        try (Http2Socket socket = new Http2Socket(server.port)) {
            assertRefusal(socket.answer(socket.get("/ping")));
            int stream = socket.open("POST", "/service/call", true, "content-type", "application/grpc", "te", "trailers");
            HttpAnswer answer = socket.answer(stream);
            assertEquals(200, answer.status());
            assertEquals("14", answer.value("grpc-status"), () -> answer.fields().toString());
        }
        release("grpc", holders);
    }

    @Test
    void exactlyTheLimitGetsThrough() {
        Eventually.holds("room", () -> server.get("/ping").status() == 200);
        List<Future<HttpAnswer>> crowd = Swarm.startAll(20, index -> server.get("/sleep/2"));
        List<Integer> statuses = crowd.stream().map(Swarm::result).map(HttpAnswer::status).toList();
        assertEquals(LIMIT, Collections.frequency(statuses, 200), statuses::toString);
        assertEquals(20 - LIMIT, Collections.frequency(statuses, 503), statuses::toString);
    }

    @Test
    void slotComesBackAfterEveryEnd() {
        for (int round = 0; round < 200; round++) {
            assertEquals(200, server.get("/ping").status(), "round " + round);
        }
        List<Http1Socket> leavers = IntStream.range(0, LIMIT)
                .mapToObj(index -> new Http1Socket(server.port).get("/hold/never"))
                .toList();
        Eventually.holds("all slots taken", () -> server.get("/ping").status() == 503);
        leavers.forEach(Http1Socket::abort);
        Eventually.holds("slots of leavers back", () -> server.get("/ping").status() == 200);
        release("after", fill("after"));
    }

    @Test
    void refusalsAreCounted() {
        long before = server.stat("rejected_total.*").orElse(0L);
        List<Http1Socket> holders = fill("counted");
        assertRefusal(server.get("/quick"));
        release("counted", holders);
        long after = server.stat("rejected_total.*").orElse(0L);
        assertTrue(after > before, before + " then " + after);
    }

    /** Takes every slot; the connections are the answer. */
    private List<Http1Socket> fill(String key) {
        Eventually.holds("room", () -> server.get("/ping").status() == 200);
        List<Http1Socket> holders = IntStream.range(0, LIMIT)
                .mapToObj(index -> new Http1Socket(server.port).get("/hold/" + key))
                .toList();
        Eventually.holds("all slots taken", () -> server.get("/ping").status() == 503);
        return holders;
    }

    /** Lets the holders go; one of them leaves first, because opening a gate needs a slot. */
    private void release(String key, List<Http1Socket> holders) {
        holders.get(0).abort();
        open(key);
        holders.stream().skip(1).forEach(holder -> {
            assertEquals("held", holder.answer().text());
            holder.close();
        });
    }

    private void open(String key) {
        Eventually.holds("gate opened", () -> server.get("/open/" + key).status() == 200);
    }

    private static void assertRefusal(HttpAnswer answer) {
        assertEquals(503, answer.status());
        assertTrue(answer.value("retry-after").matches("[1-9]\\d*"), answer.value("retry-after"));
        assertFalse(answer.text().contains("max_requests"), answer.text());
    }
}
