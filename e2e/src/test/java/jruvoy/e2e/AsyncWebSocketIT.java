// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The gem async-websocket on our server, over both protocols; skipped where set-up did not bring it. */
class AsyncWebSocketIT {
    private static final Path GEMS = Project.ROOT.resolve("build/tools/websocket-gems");

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        assumeTrue(Files.isDirectory(GEMS), "no async-websocket; scripts/setup --tests brings it");
        server = ServerLaunch.serve("async_websocket", "--gem-path=" + GEMS).ready();
    }

    @AfterAll
    static void stop() {
        if (server == null) {
            return;
        }
        try {
            assertEquals(0, server.stop(), server::tail);
        } finally {
            server.close();
        }
    }

    @Test
    void messagesComeBackOnHttp1() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request(
                    "GET",
                    "/echo/h1",
                    "upgrade: websocket",
                    "connection: Upgrade",
                    "sec-websocket-version: 13",
                    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==");
            HttpAnswer head = socket.head();
            assertEquals(101, head.status(), server::tail);
            assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", head.value("sec-websocket-accept"));
            for (String text : new String[] {"one", "gr\u00fc\u00df dich", "x".repeat(100_000)}) {
                socket.send(WebSocketFrame.text(text).masked());
                assertEquals(text, WebSocketFrame.read(socket::take).text());
            }
            socket.send(WebSocketFrame.close(1000).masked());
            assertEquals(WebSocketFrame.CLOSE, WebSocketFrame.read(socket::take).opcode());
        }
        Eventually.holds("the end", () -> server.journal("h1").contains("ensure"));
    }

    @Test
    void messagesComeBackOnHttp2() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream =
                    socket.open("CONNECT", "/echo/h2", false, ":protocol", "websocket", "sec-websocket-version", "13");
            assertEquals(200, socket.head(stream).status(), server::tail);
            int[] at = {0};
            for (String text : new String[] {"one", "gr\u00fc\u00df dich", "x".repeat(100_000)}) {
                socket.data(stream, WebSocketFrame.text(text).masked(), false);
                WebSocketFrame frame = WebSocketFrame.read(length -> {
                    byte[] body = socket.received(stream, at[0] + length).body();
                    at[0] += length;
                    return Arrays.copyOfRange(body, at[0] - length, Math.min(body.length, at[0]));
                });
                assertEquals(text, frame.text());
            }
            socket.reset(stream);
            Eventually.holds("the end", () -> server.journal("h2").contains("ensure"));
        }
    }

    @Test
    void othersAreTold() {
        assertEquals(426, server.get("/echo/plain").status());
    }
}
