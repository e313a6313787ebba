// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

/** The smallest Envoy config: one filter that names a rackup, and no bootstrap extension. */
class FilterOnlyIT {
    @Test
    void servesAndEndsWell() {
        EnvoyConfig config = EnvoyConfig.filterOnly(Project.fixture("serve"));
        try (ServerProcess server = ServerLaunch.envoy(Project.ENVOY, config).connectable()) {
            assertEquals("Hello, World!", server.get("/hello").text());
            try (Http1Socket socket = new Http1Socket(server.port)) {
                assertEquals(
                        "text",
                        socket.post("/echo", new byte[] {'t', 'e', 'x', 't'})
                                .answer()
                                .text());
            }
            try (Http2Socket socket = new Http2Socket(server.port)) {
                assertEquals("slept", socket.answer(socket.get("/sleep/0.1")).text());
            }
            assertEquals(0, server.stop(), server::tail);
        }
    }

    @Test
    void endsWellWithARequestInFlight() {
        EnvoyConfig config = EnvoyConfig.filterOnly(Project.fixture("drain"));
        try (ServerProcess server = ServerLaunch.envoy(Project.ENVOY, config).connectable();
                Http1Socket held = new Http1Socket(server.port)) {
            held.get("/hold/gate");
            Eventually.holds("a held request", () -> server.journal("gate").contains("started"));
            assertEquals(0, server.stop(), server::tail);
        }
    }

    @Test
    void rackupThatRaisesEndsTheStart() {
        EnvoyConfig config = EnvoyConfig.filterOnly(Project.fixture("startup/raises"));
        try (ServerProcess server = ServerLaunch.envoy(Project.ENVOY, config).started()) {
            assertNotEquals(0, server.exitStatus(), server::tail);
            assertFalse(
                    server.linesWith("raises.ru:7", "no such thing", "ArgumentError")
                            .isEmpty(),
                    server::tail);
        }
    }

    @Test
    void relativeRackupCountsFromTheRoot() {
        EnvoyConfig config = EnvoyConfig.filterOnly(Project.fixture("hello"))
                .filter("rackup", "hello.ru")
                .filter("app_root", '"' + Project.fixture("hello").getParent().toString() + '"');
        try (ServerProcess server = ServerLaunch.envoy(Project.ENVOY, config).connectable()) {
            assertEquals("Hello, World!", server.get("/").text());
            assertEquals(0, server.stop(), server::tail);
        }
    }
}
