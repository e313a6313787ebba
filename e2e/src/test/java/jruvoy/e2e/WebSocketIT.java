// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets over HTTP/1 and HTTP/2, agreed to by rack.protocol and by partial hijack. */
class WebSocketIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("websocket");

    /** The example of RFC 6455, section 1.3. */
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    private static final int[] SIZES = {0, 1, 125, 126, 65_535, 65_536, 700_001};

    private final ServerProcess server = SHARED.process();
    private final Random random = new Random(6455);

    @ParameterizedTest
    @ValueSource(strings = {"protocol", "switching", "hijack"})
    void messagesComeBackOnHttp1(String way) {
        String key = way + "-h1";
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer head = upgrade(socket, "/" + way + "/" + key);
            assertEquals(101, head.status());
            assertEquals("websocket", head.value("upgrade"));
            assertEquals("upgrade", head.value("connection").toLowerCase(Locale.ROOT));
            assertEquals(ACCEPT, head.value("sec-websocket-accept"));
            assertNull(head.value("rack.protocol"));
            assertNull(head.value("rack.hijack"));
            assertNull(head.value("transfer-encoding"));
            assertNull(head.value("content-length"));
            echoes(socket::send, socket::take);
            assertTrue(socket.endsHere());
        }
        ended(key, "finished");
    }

    @ParameterizedTest
    @ValueSource(strings = {"protocol", "switching", "hijack"})
    void messagesComeBackOnHttp2(String way) {
        String key = way + "-h2";
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = connect(socket, "/" + way + "/" + key);
            HttpAnswer head = socket.head(stream);
            assertEquals(200, head.status());
            assertNull(head.value("upgrade"));
            assertNull(head.value("connection"));
            assertNull(head.value("rack.protocol"));
            echoes(bytes -> socket.data(stream, bytes, false), reader(socket, stream));
            assertTrue(socket.answer(stream).complete());
            assertEquals("pong", socket.answer(socket.get("/ping")).text());
        }
        ended(key, "finished");
    }

    @Test
    void appSeesAnUpgrade() {
        String seen = "GET [\"websocket\"] true false";
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(seen, upgrade(socket, "/protocol/seen-1").value("x-seen"));
        }
        try (Http2Socket socket = new Http2Socket(server.port)) {
            assertEquals(seen, socket.head(connect(socket, "/protocol/seen-2")).value("x-seen"));
        }
    }

    @Test
    void hijackedBodyIsNotSentButClosed() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(101, upgrade(socket, "/hijack/closed").status());
            socket.send(WebSocketFrame.close(1000).masked());
            assertEquals(1000, WebSocketFrame.read(socket::take).code());
            assertTrue(socket.endsHere());
        }
        Eventually.holds("close", () -> server.journal("closed").contains("close"));
        assertEquals(1, Collections.frequency(server.journal("closed"), "close"));
        assertEquals(0, Collections.frequency(server.journal("closed"), "each"));
    }

    @Test
    void pingIsAnsweredBetweenFragments() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            upgrade(socket, "/protocol/fragments");
            socket.send(new WebSocketFrame(false, WebSocketFrame.TEXT, new byte[] {'a'}).masked());
            socket.send(new WebSocketFrame(true, WebSocketFrame.PING, new byte[] {'p'}).masked());
            WebSocketFrame pong = WebSocketFrame.read(socket::take);
            assertEquals(WebSocketFrame.PONG, pong.opcode());
            assertEquals("p", pong.text());
            socket.send(new WebSocketFrame(false, WebSocketFrame.CONTINUATION, new byte[0]).masked());
            socket.send(new WebSocketFrame(true, WebSocketFrame.CONTINUATION, new byte[] {'b'}).masked());
            assertEquals("ab", WebSocketFrame.read(socket::take).text());
        }
    }

    @Test
    void brokenProtocolIsTold() {
        List<byte[]> wrong = List.of(
                WebSocketFrame.text("no mask").unmasked(),
                new WebSocketFrame(true, WebSocketFrame.CONTINUATION, new byte[0]).masked(),
                new WebSocketFrame(true, 5, new byte[0]).masked(),
                new WebSocketFrame(false, WebSocketFrame.PING, new byte[0]).masked(),
                new WebSocketFrame(true, WebSocketFrame.PING, new byte[126]).masked());
        for (byte[] bytes : wrong) {
            assertEquals(1002, codeAfter(bytes));
        }
        assertEquals(1007, codeAfter(new WebSocketFrame(true, WebSocketFrame.TEXT, new byte[] {(byte) 0xff}).masked()));
    }

    @Test
    void leaverInterruptsTheApp() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            upgrade(socket, "/ticks/left-1");
            assertEquals("1", WebSocketFrame.read(socket::take).text());
            socket.abort();
        }
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = connect(socket, "/ticks/left-2");
            assertEquals("1", WebSocketFrame.read(reader(socket, stream)).text());
            socket.reset(stream);
            ended("left-2", "ensure");
        }
        ended("left-1", "ensure");
        try (Http1Socket socket = new Http1Socket(server.port)) {
            upgrade(socket, "/protocol/left-3");
            socket.abort();
        }
        ended("left-3", "ensure");
    }

    @Test
    void refusalIsAnOrdinaryAnswer() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.rest(upgrade(socket, "/refused"));
            assertEquals(403, answer.status());
            assertEquals("not for you", answer.text());
        }
        try (Http2Socket socket = new Http2Socket(server.port)) {
            HttpAnswer answer = socket.answer(connect(socket, "/refused"));
            assertEquals(403, answer.status());
            assertEquals("not for you", answer.text());
        }
    }

    @Test
    void acceptingWithoutBeingAskedIsAnError() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.get("/switching/unasked").answer();
            assertNotEquals(101, answer.status());
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }

    @Test
    void manySocketsTalkAtOnce() {
        List<Boolean> done = Swarm.all(40, index -> {
            try (Http1Socket socket = new Http1Socket(server.port)) {
                upgrade(socket, "/protocol/many");
                for (int round = 0; round < 20; round++) {
                    String text = index + " says " + round;
                    socket.send(WebSocketFrame.text(text).masked());
                    assertEquals(text, WebSocketFrame.read(socket::take).text());
                }
                return true;
            }
        });
        assertEquals(40, done.size());
    }

    /** Sends messages of many sizes cut at random places, and the goodbye. */
    private void echoes(Consumer<byte[]> send, IntFunction<byte[]> source) {
        send.accept(WebSocketFrame.text("gr\u00fc\u00df dich \u2713").masked());
        assertEquals("gr\u00fc\u00df dich \u2713", WebSocketFrame.read(source).text());
        for (int size : SIZES) {
            byte[] payload = Digests.bytes(random, size);
            byte[] bytes = new WebSocketFrame(true, WebSocketFrame.BINARY, payload).masked();
            int cut = random.nextInt(bytes.length);
            send.accept(Arrays.copyOf(bytes, cut));
            send.accept(Arrays.copyOfRange(bytes, cut, bytes.length));
            WebSocketFrame frame = WebSocketFrame.read(source);
            assertEquals(WebSocketFrame.BINARY, frame.opcode());
            assertArrayEquals(payload, frame.payload());
        }
        send.accept(WebSocketFrame.close(4321).masked());
        WebSocketFrame goodbye = WebSocketFrame.read(source);
        assertEquals(WebSocketFrame.CLOSE, goodbye.opcode());
        assertEquals(4321, goodbye.code());
        assertNull(WebSocketFrame.read(source));
    }

    private int codeAfter(byte[] bytes) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            upgrade(socket, "/protocol/broken");
            WebSocketFrame frame = WebSocketFrame.read(socket.send(bytes)::take);
            assertEquals(WebSocketFrame.CLOSE, frame.opcode());
            assertTrue(socket.endsHere());
            return frame.code();
        }
    }

    private void ended(String key, String how) {
        Eventually.holds(how + " of " + key, () -> server.journal(key).contains(how));
    }

    private static HttpAnswer upgrade(Http1Socket socket, String path) {
        socket.request(
                "GET",
                path,
                "upgrade: websocket",
                "connection: keep-alive, Upgrade",
                "sec-websocket-version: 13",
                "sec-websocket-key: " + KEY);
        return socket.head();
    }

    private static int connect(Http2Socket socket, String path) {
        return socket.open("CONNECT", path, false, ":protocol", "websocket", "sec-websocket-version", "13");
    }

    /** The body of a stream as a source of bytes. */
    private static IntFunction<byte[]> reader(Http2Socket socket, int stream) {
        int[] at = {0};
        return length -> {
            byte[] body = socket.received(stream, at[0] + length).body();
            byte[] taken = Arrays.copyOfRange(body, at[0], Math.min(body.length, at[0] + length));
            at[0] += taken.length;
            return taken;
        };
    }
}
