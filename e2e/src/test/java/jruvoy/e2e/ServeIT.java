// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods, protocol versions, middleware, errors, and what handlers may wait for. */
class ServeIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("serve");

    private final ServerProcess server = SHARED.process();

    @Test
    void getIsAnsweredWithALength() {
        HttpAnswer answer = server.get("/hello");
        assertEquals(200, answer.status());
        assertEquals("Hello, World!", answer.text());
        assertEquals("13", answer.value("content-length"));
        assertEquals("text/plain", answer.value("content-type"));
        assertNull(answer.value("transfer-encoding"));
    }

    @Test
    void readyLineIsTheOnlyLineThatNamesTheUrl() {
        assertEquals(
                1,
                server.linesWith("jruvoy: listening on http://127.0.0.1:" + server.port)
                        .size());
    }

    @Test
    void middlewareAndMountsWork() {
        assertEquals("stamped", server.get("/hello").value("x-stamp"));
        assertEquals("/mounted /a/b", server.get("/mounted/a/b").text());
    }

    @Test
    void connectionIsReusedAlsoForPipelinedRequests() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            for (int index = 0; index < 50; index++) {
                assertEquals("GET HTTP/1.1", socket.get("/method").answer().text());
            }
            String request = "GET /method HTTP/1.1\r\nhost: localhost\r\n\r\n";
            socket.send(request + request.replace("GET", "DELETE") + request);
            assertEquals("GET HTTP/1.1", socket.answer().text());
            assertEquals("DELETE HTTP/1.1", socket.answer().text());
            assertEquals("GET HTTP/1.1", socket.answer().text());
        }
    }

    @Test
    void http10IsAnsweredAndClosed() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.send("GET /method HTTP/1.0\r\n\r\n").answer();
            assertEquals(200, answer.status());
            assertEquals("GET HTTP/1.0", answer.text());
            assertTrue(socket.endsHere());
        }
    }

    @Test
    void headHasTheLengthButNoBody() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer head = socket.request("HEAD", "/head/head-1").head();
            assertEquals("1234", head.value("content-length"));
            head = socket.request("HEAD", "/hello").head();
            assertEquals(200, head.status());
            assertEquals("GET HTTP/1.1", socket.get("/method").answer().text());
        }
        assertTrue(server.journal("head-1").contains("close"));
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusWithoutBodyHasNone(int status) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.get("/status/" + status).answer();
            assertEquals(status, answer.status());
            assertNull(answer.value("transfer-encoding"));
            assertEquals("GET HTTP/1.1", socket.get("/method").answer().text());
        }
    }

    @Test
    void postCarriesItsBody() {
        byte[] body = "some text\0with a zero".getBytes(StandardCharsets.UTF_8);
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(
                    "some text\0with a zero",
                    socket.post("/echo", body).answer().text());
            socket.postChunked("/echo").chunk("in ").chunk("chunks").chunk("");
            assertEquals("in chunks", socket.answer().text());
            assertEquals("", socket.post("/echo", new byte[0]).answer().text().replace("no input", ""));
            assertEquals("no input", socket.get("/echo").answer().text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"})
    void otherMethodsReachTheApp(String method) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(
                    method + " HTTP/1.1",
                    socket.request(method, "/method").answer().text());
        }
    }

    @Test
    void http2IsServedOnTheSamePort() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            assertEquals("GET HTTP/2", socket.answer(socket.get("/method")).text());
            HttpAnswer head = socket.answer(socket.open("HEAD", "/head/head-2", true));
            assertEquals("1234", head.value("content-length"));
            assertTrue(head.complete());
            int post = socket.open("POST", "/echo", false);
            socket.data(post, "over h2".getBytes(StandardCharsets.UTF_8), true);
            assertEquals("over h2", socket.answer(post).text());
        }
    }

    @Test
    void manyStreamsShareOneConnection() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int[] streams = new int[80];
            for (int index = 0; index < streams.length; index++) {
                streams[index] = socket.get("/sleep/0." + (index % 9));
            }
            for (int stream : streams) {
                assertEquals("slept", socket.answer(stream).text());
            }
        }
    }

    @Test
    void jdkClientIsServed() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port + "/echo");
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .POST(HttpRequest.BodyPublishers.ofString("from java"))
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(200, response.statusCode());
            assertEquals("from java", response.body());
        }
    }

    @Test
    void waitingHandlersDoNotStopOthers() {
        List<Future<HttpAnswer>> slow = Swarm.startAll(100, index -> server.get("/sleep/2"));
        assertEquals("Hello, World!", server.get("/hello").text());
        assertTrue(slow.stream().anyMatch(work -> !work.isDone()), "the quick answer came after the slow ones");
        slow.forEach(work -> assertEquals("slept", Swarm.result(work).text()));
    }

    @Test
    void handlersMeetInAQueue() {
        Future<HttpAnswer> popped = Swarm.start(() -> server.get("/pop/meeting"));
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(
                    "pushed",
                    socket.post("/push/meeting", new byte[] {'h', 'i'}).answer().text());
        }
        assertEquals("hi", Swarm.result(popped).text());
    }

    @Test
    void mutexHeldAcrossASleepExcludesAndDoesNotHang() {
        Swarm.all(20, index -> server.get("/exclusive")).forEach(answer -> assertEquals("1", answer.text()));
    }

    @Test
    void threadIsJoinedWithoutStoppingTheOwner() {
        Swarm.all(10, index -> server.get("/thread")).forEach(answer -> assertEquals("joined", answer.text()));
    }

    @Test
    void handlerMayAskItsOwnServerOverASocket() {
        List<HttpAnswer> answers = Swarm.all(10, index -> server.get("/fetch/sleep/0.05?port=" + server.port));
        answers.forEach(answer -> assertTrue(answer.text().endsWith("slept"), answer.text()));
    }

    @Test
    void nothingIsLeftBehindForTheNextRequest() {
        Swarm.all(40, index -> server.get("/kept")).forEach(answer -> assertEquals("[nil, nil]", answer.text()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"raise", "exit", "throw", "nonsense"})
    void failureIsABare500(String way) {
        HttpAnswer answer = server.get("/" + way);
        assertEquals(500, answer.status());
        assertFalse(answer.text().contains("secret"), answer.text());
        assertFalse(answer.text().contains("ArgumentError"), answer.text());
        assertFalse(answer.text().contains(".r"), answer.text());
        assertEquals("Hello, World!", server.get("/hello").text());
    }

    @Test
    void exceptionIsLoggedOnceWithWhatHelps() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(500, socket.get("/raise?once").answer().status());
        }
        server.awaitLog("secret detail");
        List<String> lines = server.linesWith("ArgumentError", "secret detail", "GET", "/raise");
        assertFalse(lines.isEmpty(), server::tail);
        assertTrue(lines.get(0).matches(".*[0-9a-f]{8}-[0-9a-f]{4}-.*"), "a request id: " + lines.get(0));
        assertFalse(server.linesWith("serve.ru:").isEmpty(), "a backtrace");
    }

    @Test
    void jsonIsAnsweredToThoseWhoWantIt() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer =
                    socket.request("GET", "/raise", "accept: application/json").answer();
            assertEquals(500, answer.status());
            assertTrue(answer.text().startsWith("{"), answer.text());
        }
    }

    @Test
    void moreRequestsThanSlotsAreServedOneAfterAnother() {
        Swarm.all(8, worker -> {
            try (Http1Socket socket = new Http1Socket(server.port)) {
                for (int index = 0; index < 400; index++) {
                    assertEquals("Hello, World!", socket.get("/hello").answer().text());
                }
                return true;
            }
        });
    }
}
