// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The env that an app sees, with Rack::Lint around the app, over both protocols. */
class EnvIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("headers");

    private final ServerProcess server = SHARED.process();

    @ParameterizedTest
    @EnumSource
    void lineAndPathKeepTheirBytes(Wire wire) {
        Map<String, String> env = env(wire, "GET", "/dump/a%2Fb%20c/%C3%A9/%25?x=%20&y=a+b&&z?");
        assertEquals("GET", env.get("REQUEST_METHOD"));
        assertEquals("", env.get("SCRIPT_NAME"));
        assertEquals("/dump/a%2Fb%20c/%C3%A9/%25", env.get("PATH_INFO"));
        assertEquals("x=%20&y=a+b&&z?", env.get("QUERY_STRING"));
        assertEquals(wire == Wire.HTTP1 ? "HTTP/1.1" : "HTTP/2", env.get("SERVER_PROTOCOL"));
        assertEquals("http", env.get("rack.url_scheme"));
        assertEquals("127.0.0.1", env.get("REMOTE_ADDR"));
    }

    @ParameterizedTest
    @EnumSource
    void pathsAreNotTidiedUp(Wire wire) {
        assertEquals("/dump//a/../b/./c", env(wire, "GET", "/dump//a/../b/./c").get("PATH_INFO"));
        assertEquals("", env(wire, "GET", "/dump").get("QUERY_STRING"));
        assertEquals("", env(wire, "GET", "/dump?").get("QUERY_STRING"));
    }

    @ParameterizedTest
    @EnumSource
    void methodsPassAsTheyAre(Wire wire) {
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "M-SEARCH", "MKCOL")) {
            assertEquals(method, env(wire, method, "/dump").get("REQUEST_METHOD"));
        }
    }

    @Test
    void absoluteFormIsTakenApart() {
        Map<String, String> env = env("GET http://other.test:81/dump?q HTTP/1.1\r\nhost: other.test:81\r\n\r\n");
        assertEquals("/dump", env.get("PATH_INFO"));
        assertEquals("q", env.get("QUERY_STRING"));
        assertEquals("other.test:81", env.get("HTTP_HOST"));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, localhost, 80",
        "example.test:8080, example.test, 8080",
        "127.0.0.1:80, 127.0.0.1, 80",
        "[::1]:8080, [::1], 8080",
        "[::1], [::1], 80",
        "EXAMPLE.test, EXAMPLE.test, 80",
    })
    void hostBecomesNameAndPort(String host, String name, String port) {
        for (Wire wire : Wire.values()) {
            try (Wire.Connection connection = wire.connect(server.port)) {
                Map<String, String> env = parse(connection.askAt(host, "GET", "/dump", null));
                assertEquals(name, env.get("SERVER_NAME"));
                assertEquals(host, env.get("HTTP_HOST"));
                assertEquals(port, env.get("SERVER_PORT"));
                assertTrue(env.keySet().stream().noneMatch(key -> key.contains(":")), env.toString());
            }
        }
    }

    @Test
    void http1MayComeWithoutAHost() {
        Map<String, String> env = env("GET /dump HTTP/1.0\r\n\r\n");
        assertEquals("HTTP/1.0", env.get("SERVER_PROTOCOL"));
        assertEquals("localhost", env.get("SERVER_NAME"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a@b", "a:b:c", "[::1", "a:99999x", "a,b", "a b"})
    void badAuthorityIsRefused(String host) {
        for (Wire wire : Wire.values()) {
            try (Wire.Connection connection = wire.connect(server.port)) {
                HttpAnswer answer = connection.askAt(host, "GET", "/dump", null);
                // Envoy's own codec of HTTP/2 refuses some of them by a reset.
                assertTrue(answer.status() == 400 || wire == Wire.HTTP2 && answer.status() == 0, wire + answer.text());
            }
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
    void authorityOfHttp2WinsOverAHostHeader() {
        try (Wire.Connection connection = Wire.HTTP2.connect(server.port)) {
            HttpAnswer answer = connection.get("/dump", "host", "evil.test");
            if (answer.status() != 0) {
                assertEquals("localhost", parse(answer).get("HTTP_HOST"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void repeatedLinesAreJoined(Wire wire) {
        Map<String, String> env = env(
                wire, "GET", "/dump", "x-list", "a", "x-list", "b", "cookie", "a=1", "cookie", "b=2", "accept", "x",
                "accept", "y");
        assertEquals("a, b", env.get("HTTP_X_LIST"));
        assertEquals("a=1; b=2", env.get("HTTP_COOKIE"));
        assertEquals("x, y", env.get("HTTP_ACCEPT").replace(",y", ", y"));
    }

    @ParameterizedTest
    @EnumSource
    void lengthAndTypeHaveNoPrefix(Wire wire) {
        byte[] body = "abc".getBytes(StandardCharsets.US_ASCII);
        try (Wire.Connection connection = wire.connect(server.port)) {
            String[] fields = wire == Wire.HTTP1
                    ? new String[] {"content-type", "text/x"}
                    : new String[] {"content-type", "text/x", "content-length", "3"};
            Map<String, String> env = parse(connection.askAt("localhost", "POST", "/dump", body, fields));
            assertEquals("3", env.get("CONTENT_LENGTH"));
            assertEquals("text/x", env.get("CONTENT_TYPE"));
            assertFalse(env.containsKey("HTTP_CONTENT_LENGTH"));
            assertFalse(env.containsKey("HTTP_CONTENT_TYPE"));
            assertEquals(
                    "input true",
                    facts(connection.askAt("localhost", "POST", "/facts", body)).getFirst());
        }
    }

    @ParameterizedTest
    @EnumSource
    void dangerousNamesDoNotReachTheApp(Wire wire) {
        Map<String, String> env = env(wire, "GET", "/dump", "proxy", "http://evil.test", "x-version", "1");
        assertFalse(env.containsKey("HTTP_PROXY"));
        assertFalse(env.containsKey("HTTP_VERSION"));
        for (String[] fields :
                List.of(new String[] {"x_under", "1", "x-under", "2"}, new String[] {"x-under", "2", "x_under", "1"})) {
            try (Wire.Connection connection = wire.connect(server.port)) {
                HttpAnswer answer = connection.get("/dump", fields);
                assertTrue(answer.status() == 400 || wire == Wire.HTTP2 && answer.status() == 0, answer::text);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void forwardedHeadersDoNotChangeTheConnection(Wire wire) {
        Map<String, String> env = env(
                wire,
                "GET",
                "/dump",
                "x-forwarded-proto",
                "https",
                "x-forwarded-for",
                "9.9.9.9",
                "x-forwarded-host",
                "evil.test",
                "forwarded",
                "for=9.9.9.9;proto=https");
        assertEquals("http", env.get("rack.url_scheme"));
        assertEquals("127.0.0.1", env.get("REMOTE_ADDR"));
        assertEquals("localhost", env.get("SERVER_NAME"));
        assertFalse(env.containsKey("HTTPS"));
    }

    @ParameterizedTest
    @EnumSource
    void envHasWhatRackAsksFor(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            assertEquals(
                    List.of(
                            "input false",
                            "hijack false",
                            "partial true",
                            "hints false",
                            "protocol false",
                            "frozen false",
                            "finished Array",
                            "errors true",
                            "encodings BINARY",
                            "keys String"),
                    facts(connection.get("/facts", "x-latin", "caf\u00e9")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void randomHeadersArriveExactly(Wire wire) {
        Random random = new Random(20261130);
        try (Wire.Connection connection = wire.connect(server.port)) {
            for (int round = 0; round < 60; round++) {
                Map<String, String> sent = randomFields(random);
                String[] pairs = sent.entrySet().stream()
                        .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                        .toArray(String[]::new);
                arrived(sent, parse(connection.get("/dump", pairs)));
            }
        }
    }

    private Map<String, String> env(Wire wire, String method, String path, String... fields) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            return parse(connection.ask(method, path, fields));
        }
    }

    private Map<String, String> env(String request) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            return parse(socket.send(request).answer());
        }
    }

    private static List<String> facts(HttpAnswer answer) {
        return answer.text()
                .lines()
                .map(fact -> fact.replace("ASCII-8BIT", "BINARY"))
                .toList();
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
