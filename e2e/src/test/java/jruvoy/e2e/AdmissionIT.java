// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        awaitRoom();
        long before = server.count("called");
        try (Holders holders = new Holders("surplus")) {
            for (int index = 0; index < 50; index++) {
                assertRefusal(server.get("/quick"));
            }
            holders.release();
        }
        assertEquals(before + LIMIT, server.count("called"), "the app was called for a refused request");
    }

    @Test
    void refusalKeepsTheConnection() {
        try (Holders holders = new Holders("keeps");
                Http1Socket socket = new Http1Socket(server.port)) {
            assertRefusal(socket.get("/ping").answer());
            assertRefusal(socket.get("/ping").answer());
            holders.release();
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }

    @Test
    void uploadIsRefusedToo() {
        try (Holders holders = new Holders("upload")) {
            try (Http1Socket socket = new Http1Socket(server.port)) {
                assertRefusal(
                        socket.request("POST", "/take", "content-length: 50000").answer());
            }
            try (Http1Socket socket = new Http1Socket(server.port)) {
                socket.send("POST /take HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\nabcde");
                assertRefusal(socket.answer());
            }
            holders.release();
        }
    }

    @Test
    void tunnelNeverReachesTheApp() {
        long before = server.count("called");
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.send("CONNECT quick:443 HTTP/1.1\r\nhost: quick:443\r\n\r\n")
                    .answer();
            assertTrue(answer.status() >= 403 && answer.status() <= 405, "status " + answer.status());
        }
        assertEquals(before, server.count("called"));
    }

    @Test
    void refusalSpeaksHttp2() {
        try (Holders holders = new Holders("http2");
                Http2Socket socket = new Http2Socket(server.port)) {
            assertRefusal(socket.answer(socket.get("/ping")));
            int stream = socket.open("POST", "/take", false);
            socket.data(stream, new byte[100_000], true);
            assertRefusal(socket.answer(stream));
            holders.release();
            assertEquals("pong", socket.answer(socket.get("/ping")).text());
        }
    }

    @Test
    void refusalSpeaksGrpc() {
        try (Holders holders = new Holders("grpc");
                Http2Socket socket = new Http2Socket(server.port)) {
            int stream =
                    socket.open("POST", "/service/call", true, "content-type", "application/grpc", "te", "trailers");
            HttpAnswer answer = socket.answer(stream);
            assertEquals(200, answer.status());
            assertEquals(
                    "14", answer.value("grpc-status"), () -> answer.fields().toString());
            holders.release();
        }
    }

    @Test
    void exactlyTheLimitGetsThrough() {
        List<Integer> statuses = Eventually.value(
                "all slots are free when the crowd comes",
                this::crowd,
                found -> Collections.frequency(found, 200) >= LIMIT);
        assertEquals(LIMIT, Collections.frequency(statuses, 200), statuses::toString);
        assertEquals(20 - LIMIT, Collections.frequency(statuses, 503), statuses::toString);
    }

    @Test
    void slotComesBackAfterEveryEnd() {
        awaitRoom();
        for (int round = 0; round < 200; round++) {
            assertEquals(200, server.get("/ping").status(), "round " + round);
        }
        for (int round = 0; round < 5; round++) {
            new Holders("never").close();
            awaitRoom();
        }
    }

    private List<Integer> crowd() {
        return Swarm.startAll(20, index -> server.get("/sleep/2")).stream()
                .map(Swarm::result)
                .map(HttpAnswer::status)
                .toList();
    }

    private void awaitRoom() {
        Eventually.holds(
                "room for all",
                () -> Swarm.all(LIMIT, index -> server.get("/sleep/0.1")).stream()
                        .allMatch(answer -> answer.status() == 200));
    }

    private static void assertRefusal(HttpAnswer answer) {
        assertEquals(503, answer.status());
        assertTrue(answer.value("retry-after").matches("[1-9]\\d*"), answer.value("retry-after"));
        assertFalse(answer.text().contains("max_requests"), answer.text());
    }

    /** As many requests as there are slots, each holding one. */
    private final class Holders implements AutoCloseable {
        private final String key;
        private final Map<Http1Socket, HttpAnswer> heads = new LinkedHashMap<>();

        Holders(String key) {
            this.key = key;
            // Who was answered just now may still have its slot.
            Eventually.holds("all slots taken", () -> hold() && heads.size() == LIMIT);
        }

        private boolean hold() {
            Http1Socket socket = new Http1Socket(server.port).get("/hold/" + key);
            HttpAnswer head = socket.head();
            if (head.status() != 200) {
                socket.close();
                return false;
            }
            heads.put(socket, head);
            return true;
        }

        /** Lets them end well; one leaves first, because opening the gate needs a slot. */
        void release() {
            heads.keySet().iterator().next().abort();
            Eventually.holds("gate opened", () -> server.get("/open/" + key).status() == 200);
            heads.entrySet().stream()
                    .skip(1)
                    .forEach(holder -> assertEquals(
                            "held", holder.getKey().rest(holder.getValue()).text()));
        }

        @Override
        public void close() {
            heads.keySet().forEach(Http1Socket::close);
        }
    }
}
