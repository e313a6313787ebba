// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Request headers as the app sees them, and response headers that may or may not leave. */
class HeadersIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("headers");

    private final ServerProcess server = SHARED.process();

    @Test
    void lineAndPathKeepTheirBytes() {
        Map<String, String> env = env("GET /dump/a%2Fb%20c/%C3%A9?x=%20&y=a+b&&z HTTP/1.1\r\nhost: localhost\r\n\r\n");
        assertEquals("GET", env.get("REQUEST_METHOD"));
        assertEquals("", env.get("SCRIPT_NAME"));
        assertEquals("/dump/a%2Fb%20c/%C3%A9", env.get("PATH_INFO"));
        assertEquals("x=%20&y=a+b&&z", env.get("QUERY_STRING"));
        assertEquals("HTTP/1.1", env.get("SERVER_PROTOCOL"));
        assertEquals("http", env.get("rack.url_scheme"));
        assertEquals("127.0.0.1", env.get("REMOTE_ADDR"));
    }

    @Test
    void queryIsEmptyWhenThereIsNone() {
        assertEquals("", env("GET /dump HTTP/1.1\r\nhost: localhost\r\n\r\n").get("QUERY_STRING"));
        assertEquals("", env("GET /dump? HTTP/1.1\r\nhost: localhost\r\n\r\n").get("QUERY_STRING"));
    }

    @Test
    void absoluteFormIsTakenApart() {
        Map<String, String> env = env("GET http://other.test:81/dump?q HTTP/1.1\r\nhost: other.test:81\r\n\r\n");
        assertEquals("/dump", env.get("PATH_INFO"));
        assertEquals("other.test:81", env.get("HTTP_HOST"));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, localhost, ''",
        "example.test:8080, example.test, 8080",
        "127.0.0.1:80, 127.0.0.1, 80",
        "[::1]:8080, [::1], 8080",
        "[::1], [::1], ''",
    })
    void hostBecomesNameAndPort(String host, String name, String port) {
        Map<String, String> env = env("GET /dump HTTP/1.1\r\nhost: " + host + "\r\n\r\n");
        assertEquals(name, env.get("SERVER_NAME"));
        assertEquals(host, env.get("HTTP_HOST"));
        if (!port.isEmpty()) {
            assertEquals(port, env.get("SERVER_PORT"));
        }
        assertTrue(env.getOrDefault("SERVER_PORT", "1").matches("\\d+"));
    }

    @Test
    void http2AuthorityIsTheHost() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            Map<String, String> env = parse(socket.answer(socket.get("/dump", "x-one", "1")));
            assertEquals("localhost", env.get("HTTP_HOST"));
            assertEquals("localhost", env.get("SERVER_NAME"));
            assertEquals("HTTP/2", env.get("SERVER_PROTOCOL"));
            assertEquals("1", env.get("HTTP_X_ONE"));
            assertTrue(env.keySet().stream().noneMatch(key -> key.contains(":")), env.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a@b", "a:b:c", "[::1", "a:99999x", "a,b", "a b"})
    void badAuthorityIsRefused(String host) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.send("GET /dump HTTP/1.1\r\nhost: " + host + "\r\n\r\n")
                    .answer();
            assertEquals(400, answer.status());
        }
    }

    @Test
    void twoHostsAreRefused() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            String request = "GET /dump HTTP/1.1\r\nhost: a.test\r\nhost: b.test\r\n\r\n";
            assertEquals(400, socket.send(request).answer().status());
        }
    }

    @Test
    void repeatedLinesAreJoined() {
        Map<String, String> env = env("GET /dump HTTP/1.1\r\nhost: localhost\r\nx-list: a\r\nx-list: b\r\n"
                + "cookie: a=1\r\ncookie: b=2\r\naccept: x\r\naccept: y\r\n\r\n");
        assertEquals("a, b", env.get("HTTP_X_LIST").replace(",b", ", b"));
        assertEquals("a=1; b=2", env.get("HTTP_COOKIE"));
        assertEquals("x, y", env.get("HTTP_ACCEPT").replace(",y", ", y"));
    }

    @Test
    void lengthAndTypeHaveNoPrefix() {
        Map<String, String> env = env(
                "POST /dump HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/x\r\n" + "content-length: 3\r\n\r\nabc");
        assertEquals("3", env.get("CONTENT_LENGTH"));
        assertEquals("text/x", env.get("CONTENT_TYPE"));
        assertFalse(env.containsKey("HTTP_CONTENT_LENGTH"));
        assertFalse(env.containsKey("HTTP_CONTENT_TYPE"));
    }

    @Test
    void dangerousNamesDoNotReachTheApp() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer =
                    socket.request("GET", "/dump", "proxy: http://evil.test").answer();
            assertFalse(parse(answer).containsKey("HTTP_PROXY"));
        }
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer =
                    socket.request("GET", "/dump", "x_under: 1", "x-under: 2").answer();
            if (answer.status() == 200) {
                assertEquals("2", parse(answer).get("HTTP_X_UNDER"));
            } else {
                assertEquals(400, answer.status());
            }
        }
    }

    @Test
    void forwardedHeadersDoNotChangeTheConnection() {
        Map<String, String> env = env("GET /dump HTTP/1.1\r\nhost: localhost\r\nx-forwarded-proto: https\r\n"
                + "x-forwarded-for: 9.9.9.9\r\n\r\n");
        assertEquals("http", env.get("rack.url_scheme"));
        assertEquals("127.0.0.1", env.get("REMOTE_ADDR"));
    }

    @Test
    void envHasWhatRackAsksFor() {
        List<String> facts;
        try (Http1Socket socket = new Http1Socket(server.port)) {
            facts = socket.request("GET", "/facts", "x-latin: caf\u00e9")
                    .answer()
                    .text()
                    .lines()
                    .toList();
        }
        assertEquals(
                List.of(
                        "input false",
                        "hijack false",
                        "frozen false",
                        "finished Array",
                        "errors true",
                        "encodings BINARY"),
                facts.stream().map(fact -> fact.replace("ASCII-8BIT", "BINARY")).toList());
    }

    @Test
    void randomHeadersArriveExactly() {
        Random random = new Random(20261130);
        try (Http1Socket socket = new Http1Socket(server.port);
                Http2Socket second = new Http2Socket(server.port)) {
            for (int round = 0; round < 60; round++) {
                Map<String, String> sent = randomFields(random);
                String[] lines = sent.entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + entry.getValue())
                        .toArray(String[]::new);
                arrived(sent, parse(socket.request("GET", "/dump", lines).answer()));
                String[] pairs = sent.entrySet().stream()
                        .flatMap(entry -> List.of(entry.getKey(), entry.getValue()).stream())
                        .toArray(String[]::new);
                arrived(sent, parse(second.answer(second.get("/dump", pairs))));
            }
        }
    }

    @Test
    void arrayBecomesSeveralLines() {
        List<String> cookies = List.of("a=1; path=/", "b=2, x", "c=3");
        assertEquals(cookies, server.get("/several").values("set-cookie"));
        try (Http2Socket socket = new Http2Socket(server.port)) {
            assertEquals(cookies, socket.answer(socket.get("/several")).values("set-cookie"));
        }
    }

    @Test
    void internalHeadersStayInside() {
        HttpAnswer answer = server.get("/internal");
        assertEquals("1", answer.value("x-ok"));
        assertTrue(answer.fields().stream().noneMatch(field -> field.value().contains("secret")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bad-value/crlf", "bad-value/lf", "bad-value/cr", "bad-value/nul", "bad-name"})
    void forbiddenBytesNeverLeave(String path) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.get("/" + path).answer();
            assertTrue(answer.status() == 500 || answer.status() == 200, "status " + answer.status());
            assertNull(answer.value("x-injected"));
            assertNull(answer.value("x-bad"));
            assertEquals("ok", socket.get("/several").answer().text());
        }
    }

    @Test
    void hopByHopHeadersAreNotSent() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.get("/hop").answer();
            assertEquals("hop body", answer.text());
            for (String name : List.of("connection", "keep-alive", "te", "upgrade")) {
                assertNull(answer.value(name), name);
            }
            assertEquals("ok", socket.get("/several").answer().text());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusWithoutBodyLosesWhatTheAppGave(int status) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(status, socket.get("/bare/" + status).answer().status());
            assertEquals("ok", socket.get("/several").answer().text());
        }
    }

    @Test
    void oddButHarmlessHeadersWork() {
        assertEquals("caf\u00e9", server.get("/latin").value("x-latin"));
        assertEquals("1", server.get("/upper").value("x-upper"));
        assertEquals("ok", server.get("/frozen").text());
        HttpAnswer many = server.get("/many/60");
        assertEquals("59", many.value("x-many-59"));
    }

    private Map<String, String> env(String request) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            return parse(socket.send(request).answer());
        }
    }

    private static Map<String, String> parse(HttpAnswer answer) {
        assertEquals(200, answer.status(), answer::text);
        return answer.text()
                .lines()
                .map(line -> line.split("\t", -1))
                .collect(Collectors.toMap(pair -> pair[0], pair -> unhex(pair[1])));
    }

    private static String unhex(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
    }

    private static Map<String, String> randomFields(Random random) {
        Map<String, String> fields = new TreeMap<>();
        int count = 1 + random.nextInt(12);
        for (int index = 0; index < count; index++) {
            fields.put("x-r" + index + "-" + word(random, "abcdefghijklmnopqrstuvwxyz0123456789", 20), value(random));
        }
        return fields;
    }

    private static String value(Random random) {
        StringBuilder value = new StringBuilder();
        int length = random.nextInt(4) == 0 ? random.nextInt(3_000) : random.nextInt(30);
        for (int index = 0; index < length; index++) {
            value.append((char) (random.nextInt(5) == 0 ? 0xa1 + random.nextInt(0x5e) : 0x21 + random.nextInt(0x5e)));
        }
        return value.toString();
    }

    private static String word(Random random, String letters, int most) {
        StringBuilder word = new StringBuilder();
        int length = 1 + random.nextInt(most);
        for (int index = 0; index < length; index++) {
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }

    private static void arrived(Map<String, String> sent, Map<String, String> env) {
        sent.forEach((name, value) -> {
            String key = "HTTP_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
            assertEquals(value, env.get(key), key);
        });
    }
}
