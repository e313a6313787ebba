// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each supported Envoy loads the module as bootstrap extension and filter, serves, and ends well. */
class EnvoyVersionsIT {
    @ParameterizedTest
    @ValueSource(strings = {"1.39.0", "1.40.0"})
    void serves(String version) {
        EnvoyConfig config = EnvoyConfig.full(Project.fixture("bodies"))
                .filter("max_requests", "50")
                .filter("window_bytes", "128KiB")
                .filter("env", "{EXAMPLE: value}");
        try (ServerProcess server = ServerLaunch.envoy(version, config).ready()) {
            assertEquals("pong", server.get("/ping").text());
            HttpAnswer big = server.get("/each?size=3000000&seed=1");
            assertEquals(big.value("x-digest"), Digests.of(big.body()));
            byte[] body = new byte[1_000_000];
            try (Http1Socket socket = new Http1Socket(server.port)) {
                String answer = socket.post("/digest/read", body).answer().text();
                assertEquals(body.length + " " + Digests.of(body), answer);
            }
            try (Http2Socket socket = new Http2Socket(server.port)) {
                assertEquals("pong", socket.answer(socket.get("/ping")).text());
            }
            earlyAnswers(server);
            assertTrue(server.linesWith("[warning]", "ABI").isEmpty(), server::tail);
            assertEquals(0, server.stop(), server::tail);
        }
    }

    /** What docs/decisions/0004-early-answers.md says of Envoy. */
    private static void earlyAnswers(ServerProcess server) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/two-parts/early", "content-length: 4");
            HttpAnswer head = socket.head();
            assertEquals("close", head.value("connection"));
            server.open("early");
            assertEquals("onetwo", socket.send("body").rest(head).text());
        }
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/ignore", "content-length: 4");
            Eventually.pause(200);
            HttpAnswer answer = socket.send("body").answer();
            assertEquals("not read", answer.text());
            assertNull(answer.value("connection"));
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }
}
