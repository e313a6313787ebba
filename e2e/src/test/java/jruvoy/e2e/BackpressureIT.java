// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A slow reader stops the writer and a slow app stops the client. What is asserted are bytes that one side has made or
 * handed over while the other stands still; sockets of the system may hold some megabytes of them.
 */
class BackpressureIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("backpressure");

    private static final int MIB = 1 << 20;
    private static final int BLOCK = 65_536;
    private static final int SMALL_BUFFER = 65_536;

    private final ServerProcess server = SHARED.process();

    @ParameterizedTest
    @ValueSource(strings = {"each", "call"})
    void slowReaderStopsTheApp(String kind) {
        int blocks = 1_600;
        String key = "slow-" + kind;
        try (Http1Socket socket = new Http1Socket(server.port, SMALL_BUFFER)) {
            socket.get("/" + kind + "/" + key + "?blocks=" + blocks);
            HttpAnswer head = socket.head();
            long made = Eventually.still("bytes made", () -> server.count(key));
            assertTrue(made < 16L * MIB, made + " bytes were made for a reader that stands still");
            assertTrue(made > 0, "nothing was made");
            HttpAnswer answer = socket.rest(head);
            assertTrue(answer.complete());
            assertEquals((long) blocks * BLOCK, answer.body().length);
            assertBlocks(answer.body());
        }
    }

    @Test
    void slowHttp2ReaderStopsOnlyItsOwnStream() {
        int blocks = 400;
        try (Http2Socket socket = new Http2Socket(server.port)) {
            socket.keepWindows();
            int stream = socket.get("/each/slow-h2?blocks=" + blocks);
            socket.received(stream, Http2Socket.FIRST_WINDOW);
            long made = Eventually.still("bytes made", () -> server.count("slow-h2"));
            assertTrue(made < 8L * MIB, made + " bytes were made for a stream without window");
            socket.giveBack(stream, Http2Socket.FIRST_WINDOW);
            HttpAnswer answer = socket.answer(stream);
            assertEquals((long) blocks * BLOCK, answer.body().length);
            assertBlocks(answer.body());
        }
    }

    @Test
    void slowAppStopsTheClient() {
        byte[] block = Digests.bytes(new Random(1), BLOCK);
        int blocks = 1_000;
        AtomicLong sent = new AtomicLong();
        MessageDigest digest = Digests.sha256();
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/take/slow-app", "content-length: " + (long) blocks * BLOCK);
            var sender = Swarm.start(() -> {
                for (int index = 0; index < blocks; index++) {
                    socket.send(block);
                    digest.update(block);
                    sent.addAndGet(BLOCK);
                }
                return true;
            });
            Eventually.holds("first read", () -> server.journal("slow-app").contains("first read"));
            long taken = Eventually.still("bytes sent", sent::get);
            assertTrue(taken < 16L * MIB, taken + " bytes were taken for an app that stands still");
            server.open("slow-app");
            assertEquals(
                    HexFormat.of().formatHex(digestOf(sender, digest)),
                    socket.answer().text());
        }
    }

    @Test
    void slowAppStopsAnHttp2Client() {
        byte[] block = Digests.bytes(new Random(2), 16_384);
        MessageDigest digest = Digests.sha256();
        long sent = 0;
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.open("POST", "/take/slow-app-h2", false);
            for (int quiet = 0; quiet < 10; quiet++) {
                int length = socket.dataWithinWindow(stream, block);
                digest.update(block, 0, length);
                sent += length;
                if (length > 0) {
                    quiet = 0;
                } else {
                    socket.readFor(50);
                }
            }
            assertTrue(sent < 8L * MIB, sent + " bytes were taken for an app that stands still");
            server.open("slow-app-h2");
            for (int index = 0; index < 300; index++) {
                socket.data(stream, block, false);
                digest.update(block);
            }
            socket.data(stream, new byte[0], true);
            assertEquals(
                    HexFormat.of().formatHex(digest.digest()),
                    socket.answer(stream).text());
        }
    }

    @Test
    void manySlowReadersFitInMemory() {
        int readers = 60;
        server.get("/each/warm-up?blocks=800");
        long before = server.residentMib();
        List<Http1Socket> sockets = new ArrayList<>();
        try {
            for (int index = 0; index < readers; index++) {
                Http1Socket socket = new Http1Socket(server.port, SMALL_BUFFER);
                sockets.add(socket);
                socket.get("/each/crowd?blocks=800");
            }
            long made = Eventually.still("bytes made", () -> server.count("crowd"));
            assertTrue(made < readers * 8L * MIB, made + " bytes were made for " + readers + " readers");
            long growth = server.residentMib() - before;
            assertTrue(growth < 160, "resident memory grew by " + growth + " MiB");
            assertEquals("pong", server.get("/ping").text());
        } finally {
            sockets.forEach(Http1Socket::abort);
        }
        long after = Eventually.still("bytes made after the readers left", () -> server.count("crowd"));
        assertTrue(after < readers * 50L * MIB, "the app went on without readers");
    }

    private static byte[] digestOf(Future<Boolean> sender, MessageDigest digest) {
        Swarm.result(sender);
        return digest.digest();
    }

    private static void assertBlocks(byte[] body) {
        for (int index = 0; index < body.length; index += 997) {
            assertEquals((index % BLOCK) % 251, body[index] & 0xff, "byte " + index);
        }
    }
}
