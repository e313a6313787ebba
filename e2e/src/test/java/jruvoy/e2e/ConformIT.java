// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What any Rack server does with an app that keeps to the rules, Rack::Lint watching; over HTTP/1 and HTTP/2 alike. The
 * same app runs on Puma in scripts/test-differential.
 */
class ConformIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("conform");

    private final ServerProcess server = SHARED.process();

    @ParameterizedTest
    @CsvSource({
        "/array, onetwothree",
        "/length, onetwo",
        "/callable, called twice",
        "/hijack, hijacked",
        "/created, made",
        "/teapot, short and stout",
        "/runtime, measured",
        "/several, ok",
        "/none, missing",
    })
    void bodiesOfEveryKindArrive(String path, String text) {
        for (HttpAnswer answer : onBoth("GET", path)) {
            assertEquals(text, answer.text().strip());
            assertTrue(answer.complete());
        }
    }

    @Test
    void enumeratorArrivesWhole() {
        for (HttpAnswer answer : onBoth("GET", "/enumerator")) {
            assertEquals("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", answer.text());
        }
        for (HttpAnswer answer : onBoth("GET", "/parts")) {
            assertEquals("a" + "b".repeat(70_000) + "c", answer.text());
        }
    }

    @Test
    void echoGivesTheBodyBack() {
        byte[] body = "some text\nand more".getBytes(StandardCharsets.UTF_8);
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer =
                    socket.post("/echo", body, "content-type: text/x-odd").answer();
            assertEquals("some text\nand more", answer.text());
            assertEquals("text/x-odd", answer.value("content-type"));
            assertEquals("", socket.get("/echo").answer().text());
        }
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.open("POST", "/echo", false);
            socket.data(stream, body, true);
            assertEquals("some text\nand more", socket.answer(stream).text());
        }
    }

    @Test
    void inputIsReadInEveryWay() {
        byte[] body = "line one\nabcdefghijkl\nlast".getBytes(StandardCharsets.UTF_8);
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(
                    List.of("\"line one\\n\"", "\"abcde\"", "\"\"", "\"fgh\"", "\"ijkl\\nlast\"", "\"\"", "nil", "nil"),
                    socket.post("/reads", body).answer().text().lines().toList());
        }
    }

    @Test
    void cookiesGoBothWays() {
        for (HttpAnswer answer : onBoth("GET", "/cookies", "cookie", "other=1; count=4")) {
            assertEquals("count 5\n", answer.text());
            assertEquals(
                    List.of("count=5; path=/", "name=a+b%3Bc; httponly; samesite=lax"),
                    answer.values("set-cookie").stream()
                            .map(value -> value.replace("HttpOnly", "httponly").replace("SameSite=Lax", "samesite=lax"))
                            .toList());
        }
    }

    @ParameterizedTest
    @CsvSource({"/no-content, 204", "/not-modified, 304", "/moved, 302"})
    void bodilessAnswersHaveNoBody(String path, int status) {
        for (HttpAnswer answer : onBoth("GET", path)) {
            assertEquals(status, answer.status());
            assertEquals(0, answer.body().length);
            assertTrue(answer.complete());
        }
    }

    @Test
    void severalLinesStaySeveral() {
        for (HttpAnswer answer : onBoth("GET", "/several")) {
            assertEquals(List.of("one", "two, three"), answer.values("x-several"));
        }
    }

    @Test
    void optionsReachTheApp() {
        for (HttpAnswer answer : onBoth("OPTIONS", "/options")) {
            assertEquals("GET, OPTIONS", answer.value("allow"));
        }
        try (Http1Socket socket = new Http1Socket(server.port)) {
            // Envoy answers this one itself; what counts is that the connection goes on.
            assertTrue(socket.request("OPTIONS", "*").answer().status() < 500);
            assertEquals("onetwo", socket.get("/length").answer().text());
        }
    }

    @Test
    void headHasTheHeadersAlone() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            for (String path : List.of("/length", "/head", "/array", "/callable", "/file", "/enumerator", "/parts")) {
                HttpAnswer head = socket.request("HEAD", path).head();
                assertEquals(200, head.status(), path);
                assertEquals("text/plain", head.value("content-type"), path);
            }
            assertEquals("6", socket.request("HEAD", "/length").head().value("content-length"));
            assertEquals("onetwo", socket.get("/length").answer().text());
        }
    }

    @Test
    void middlewareOfRackWorks() {
        String tag = onBoth("GET", "/etag").getFirst().value("etag");
        for (HttpAnswer answer : onBoth("GET", "/etag", "if-none-match", tag)) {
            assertEquals(304, answer.status());
            assertEquals(0, answer.body().length);
        }
        for (HttpAnswer answer : onBoth("GET", "/deflated", "accept-encoding", "gzip")) {
            assertEquals("gzip", answer.value("content-encoding"));
            assertNull(answer.value("content-length"));
            assertTrue(answer.complete());
        }
    }

    @Test
    void mountedAppSeesItsPlace() {
        for (HttpAnswer answer : onBoth("GET", "/mounted/deep?x")) {
            List<String> lines = answer.text().lines().toList();
            assertTrue(lines.contains("SCRIPT_NAME=\"/mounted\""), answer::text);
            assertTrue(lines.contains("PATH_INFO=\"/deep\""), answer::text);
        }
    }

    /** The answers on a connection of each protocol; fields are pairs of name and value. */
    private List<HttpAnswer> onBoth(String method, String path, String... fields) {
        String[] lines = new String[fields.length / 2];
        for (int index = 0; index < lines.length; index++) {
            lines[index] = fields[2 * index] + ": " + fields[2 * index + 1];
        }
        try (Http1Socket first = new Http1Socket(server.port);
                Http2Socket second = new Http2Socket(server.port)) {
            HttpAnswer one = first.request(method, path, lines).answer();
            HttpAnswer two = second.answer(second.open(method, path, true, fields));
            assertEquals(one.status(), two.status());
            return List.of(one, two);
        }
    }
}
