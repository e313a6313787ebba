// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What is made up by chance arrives exactly, what is malformed does not arrive, and what an app makes up costs nobody but
 * itself. A failure names its seed; the property jruvoy.e2e.seed starts from another one, jruvoy.e2e.rounds does more.
 */
class PropertyIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("property");

    private static final long FIRST_SEED = Long.getLong("jruvoy.e2e.seed", 1);
    private static final int ROUNDS = Integer.getInteger("jruvoy.e2e.rounds", 60);
    private static final String NAME_BYTES = "abcdefghijklmnopqrstuvwxyz0123456789-";

    private final ServerProcess server = SHARED.process();

    /** One round of a property. */
    private interface Round {
        void run(Random random, long seed);
    }

    @Test
    void headersAndBodiesArriveOnHttp1() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            forSeeds(ROUNDS, (random, seed) -> {
                List<HttpField> fields = fields(random);
                byte[] body = body(random);
                StringBuilder head = new StringBuilder("POST /tell/" + pieceSize(random) + " HTTP/1.1\r\nhost: a\r\n");
                fields.forEach(field -> head.append(anyCase(random, field.name()))
                        .append(':')
                        .append(" ".repeat(random.nextInt(3)))
                        .append(field.value())
                        .append(" ".repeat(random.nextInt(3)))
                        .append("\r\n"));
                boolean chunked = random.nextBoolean();
                head.append(chunked ? "transfer-encoding: chunked" : "content-length: " + body.length);
                inPieces(socket, random, (head + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
                inPieces(socket, random, chunked ? chunked(random, body) : body);
                assertTold(fields, body, socket.answer());
            });
        }
    }

    @Test
    void headersAndBodiesArriveOnHttp2() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            forSeeds(ROUNDS, (random, seed) -> {
                List<HttpField> fields = fields(random);
                byte[] body = body(random);
                String[] pairs = fields.stream()
                        .flatMap(field -> Stream.of(field.name(), field.value()))
                        .toArray(String[]::new);
                int stream = socket.open("POST", "/tell/" + pieceSize(random), false, pairs);
                dataInPieces(socket, stream, random, body);
                assertTold(fields, body, socket.answer(stream));
            });
        }
    }

    @Test
    void bodiesComeBackThroughAnyCuts() {
        try (Http2Socket second = new Http2Socket(server.port)) {
            forSeeds(ROUNDS / 2, (random, seed) -> {
                byte[] body = Digests.bytes(random, random.nextInt(200_000));
                String path = "/mirror/" + (1 + random.nextInt(70_000));
                try (Http1Socket socket = new Http1Socket(server.port)) {
                    socket.postChunked(path);
                    byte[] framed = chunked(random, body);
                    var sender = Swarm.start(() -> {
                        inPieces(socket, random, framed);
                        return true;
                    });
                    HttpAnswer answer = socket.answer();
                    Swarm.result(sender);
                    assertArrayEquals(body, answer.body());
                }
                int stream = second.open("POST", path, false);
                dataInPieces(second, stream, random, body);
                assertArrayEquals(body, second.answer(stream).body());
            });
        }
    }

    @Test
    void malformedRequestsDoNotReachTheApp() {
        forSeeds(4, (random, seed) -> {
            List<String> reached = new ArrayList<>();
            for (String request : Malformed.heads(random)) {
                String key = "malformed-" + random.nextLong(Long.MAX_VALUE);
                try (Http1Socket socket = new Http1Socket(server.port)) {
                    inPieces(socket, random, request.replace("KEY", key).getBytes(StandardCharsets.ISO_8859_1));
                    socket.endSending();
                    assertRefused(socket, request);
                }
                if (server.count(key) != 0) {
                    reached.add(request);
                }
            }
            assertEquals(List.of(), reached, "reached the app");
        });
    }

    @Test
    void malformedBodiesAreNeverWhole() {
        forSeeds(4, (random, seed) -> {
            int index = 0;
            for (String body : Malformed.chunks()) {
                String key = "cut-" + seed + "-" + index++;
                try (Http1Socket socket = new Http1Socket(server.port)) {
                    socket.postChunked("/touch/" + key);
                    inPieces(socket, random, body.getBytes(StandardCharsets.ISO_8859_1));
                    socket.endSending();
                    assertRefused(socket, body);
                }
                assertEquals(0, server.count(key + "-whole"), "looked whole to the app: " + body);
            }
        });
    }

    @Test
    void garbageHarmsNobody() {
        forSeeds(ROUNDS, (random, seed) -> {
            try (Http1Socket socket = new Http1Socket(server.port)) {
                byte[] bytes = "POST /touch/garbage HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nhello"
                        .getBytes(StandardCharsets.ISO_8859_1);
                for (int change = random.nextInt(4); change >= 0; change--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                inPieces(socket, random, bytes);
                socket.endSending();
                socket.take(100_000);
            } catch (UncheckedIOException refused) {
                assertTrue(server.isAlive());
            }
            assertEquals("pong", server.get("/ping").text());
        });
    }

    @Test
    void oddResponsesNeverPoisonAnHttp1Connection() {
        Http1Socket[] socket = {new Http1Socket(server.port)};
        forSeeds(5 * ROUNDS, (random, seed) -> {
            boolean open = false;
            try {
                HttpAnswer answer = socket[0].get("/odd/" + seed).answer();
                assertClean(answer);
                open = answer.complete() && !"close".equals(answer.value("connection"));
            } catch (UncheckedIOException cut) {
                assertTrue(server.isAlive());
            }
            if (open) {
                open = pongOrEnd(socket[0]);
            }
            if (!open) {
                socket[0].close();
                socket[0] = new Http1Socket(server.port);
            }
        });
        socket[0].close();
    }

    @Test
    void oddResponsesNeverPoisonAnHttp2Connection() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            forSeeds(5 * ROUNDS, (random, seed) -> {
                int odd = socket.open(random.nextInt(8) == 0 ? "HEAD" : "GET", "/odd/" + seed, true);
                int ping = socket.get("/ping");
                HttpAnswer answer = socket.answer(odd);
                assertTrue(answer.complete() || socket.wasReset(odd));
                assertClean(answer);
                assertEquals("pong", socket.answer(ping).text());
            });
        }
    }

    /** After a complete answer the connection goes on with the next one, or ends. */
    private static boolean pongOrEnd(Http1Socket socket) {
        HttpAnswer pong;
        try {
            pong = socket.get("/ping").answer();
        } catch (UncheckedIOException ended) {
            return false;
        }
        assertEquals("pong", pong.text());
        return true;
    }

    private static void assertClean(HttpAnswer answer) {
        for (HttpField field : answer.fields()) {
            assertTrue(!field.name().equals("x-injected"), "a header was injected");
            assertTrue(!field.name().startsWith("rack."), "a header of Rack's was sent");
        }
    }

    /** Whatever comes before the end is a refusal. */
    private void assertRefused(Http1Socket socket, String request) {
        try {
            int status = socket.head().status();
            // 501: a transfer coding that Envoy does not know.
            assertTrue(status >= 400 && status < 500 || status == 501, "status " + status + " for " + request);
        } catch (UncheckedIOException cut) {
            assertTrue(server.isAlive());
        }
    }

    private static void assertTold(List<HttpField> fields, byte[] body, HttpAnswer answer) {
        List<String> lines = answer.text().lines().toList();
        assertEquals(body.length + " " + Digests.of(body), lines.getFirst());
        Map<String, String> want = new TreeMap<>();
        for (HttpField field : fields) {
            String key = "HTTP_" + field.name().toUpperCase(Locale.ROOT).replace('-', '_');
            want.merge(key, field.value(), (first, second) -> first + ", " + second);
        }
        Map<String, String> told = new TreeMap<>(lines.stream()
                .skip(1)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('\t')),
                        line -> new String(
                                HexFormat.of().parseHex(line.substring(line.indexOf('\t') + 1)),
                                StandardCharsets.ISO_8859_1))));
        assertEquals(want, told);
    }

    private static void forSeeds(int rounds, Round round) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + rounds; seed++) {
            try {
                round.run(new Random(seed), seed);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("with -Djruvoy.e2e.seed=" + seed + ": " + failure.getMessage(), failure);
            }
        }
    }

    /** Header lines, some of them with the same name; values of visible bytes, of bytes above 127, with blanks inside. */
    private static List<HttpField> fields(Random random) {
        List<HttpField> fields = new ArrayList<>();
        for (int count = random.nextInt(20); count > 0; count--) {
            boolean again = !fields.isEmpty() && random.nextInt(5) == 0;
            String name = again ? fields.get(random.nextInt(fields.size())).name() : name(random);
            fields.add(new HttpField(name, value(random)));
        }
        return fields;
    }

    private static String name(Random random) {
        StringBuilder name = new StringBuilder("x-t-");
        for (int length = 1 + random.nextInt(30); length > 0; length--) {
            name.append(NAME_BYTES.charAt(random.nextInt(NAME_BYTES.length())));
        }
        return name.toString();
    }

    private static String value(Random random) {
        StringBuilder value = new StringBuilder();
        for (int length = random.nextInt(random.nextInt(10) == 0 ? 2_000 : 60); length > 0; length--) {
            int kind = random.nextInt(12);
            int octet = kind == 0
                    ? ' '
                    : kind == 1 ? '\t' : kind == 2 ? 0x80 + random.nextInt(128) : 0x21 + random.nextInt(94);
            value.append((char) octet);
        }
        return value.toString().strip();
    }

    private static byte[] body(Random random) {
        return Digests.bytes(random, random.nextInt(random.nextInt(6) == 0 ? 600_000 : 3_000));
    }

    private static int pieceSize(Random random) {
        return 1 + random.nextInt(random.nextBoolean() ? 100_000 : 2_000);
    }

    private static String anyCase(Random random, String name) {
        return random.nextBoolean() ? name : name.toUpperCase(Locale.ROOT);
    }

    private static byte[] chunked(Random random, byte[] body) {
        ByteArrayOutputStream framed = new ByteArrayOutputStream();
        int from = 0;
        while (from < body.length) {
            int length = Math.min(body.length - from, 1 + random.nextInt(1 + body.length / 3));
            String size = Integer.toHexString(length) + (random.nextInt(6) == 0 ? ";a=b" : "") + "\r\n";
            framed.writeBytes(size.getBytes(StandardCharsets.ISO_8859_1));
            framed.write(body, from, length);
            framed.writeBytes(new byte[] {'\r', '\n'});
            from += length;
        }
        framed.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return framed.toByteArray();
    }

    private static void inPieces(Http1Socket socket, Random random, byte[] bytes) {
        int from = 0;
        try {
            while (from < bytes.length) {
                int length = Math.min(bytes.length - from, 1 + random.nextInt(1 + bytes.length / 4));
                socket.send(bytes, from, length);
                from += length;
            }
        } catch (UncheckedIOException refused) {
            // The answer, if there is one, tells more.
            return;
        }
    }

    private static void dataInPieces(Http2Socket socket, int stream, Random random, byte[] body) {
        int from = 0;
        while (from < body.length) {
            int length = Math.min(body.length - from, 1 + random.nextInt(1 + body.length / 4));
            socket.data(stream, Arrays.copyOfRange(body, from, from + length), false);
            from += length;
        }
        socket.data(stream, new byte[0], true);
    }
}
