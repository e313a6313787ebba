// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams that Envoy ends because its own patience is over: the handler is interrupted as if the client had left. */
class EnvoyTimeoutIT {
    @Test
    void waitsEndWithTheStream() throws IOException {
        String yaml = Files.readString(Project.ROOT.resolve("config/envoy.yaml"))
                .replaceFirst("port_value: 9901", "port_value: " + ServerLaunch.freePort())
                .replace("stream_idle_timeout: 0s", "stream_idle_timeout: 1s");
        ServerLaunch launch = ServerLaunch.envoyText(
                Project.ENVOY, yaml, Project.fixture("disconnect").toString());
        try (ServerProcess server = launch.connectable()) {
            for (String wait : List.of("sleep", "queue", "socket")) {
                interruptsTheHandler(server, wait);
                interruptsTheBody(server, wait);
            }
            interruptsTheWriter(server);
            interruptsTheReader(server);
            assertEquals(0, server.stop(), server::tail);
        }
    }

    private static void interruptsTheHandler(ServerProcess server, String wait) {
        String key = "handler-" + wait;
        for (Wire wire : Wire.values()) {
            try (Wire.Connection connection = wire.connect(server.port)) {
                assertEquals(
                        504,
                        connection.get("/wait/" + key + wire + "?in=" + wait).status());
            }
            unwound(server, key + wire);
        }
    }

    private static void interruptsTheBody(ServerProcess server, String wait) {
        String key = "body-" + wait;
        assertFalse(server.get("/stream/" + key + "?in=" + wait).complete(), "a cut answer looks whole");
        unwound(server, key);
        Eventually.holds("close", () -> server.journal(key).contains("close"));
    }

    private static void interruptsTheWriter(ServerProcess server) {
        try (Http1Socket socket = new Http1Socket(server.port, 65_536)) {
            socket.get("/endless/writer").head();
            unwound(server, "writer");
        }
    }

    private static void interruptsTheReader(ServerProcess server) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/upload/reader", "content-length: 1000").send("only this");
            unwound(server, "reader");
        }
    }

    private static void unwound(ServerProcess server, String key) {
        Eventually.holds(key + " unwound", () -> server.journal(key).contains("ensure"));
        assertFalse(server.journal(key).contains("finished"), "the handler ran to its end");
    }
}
