// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A gRPC service in plain Ruby: messages as they come, the status in trailers; and trailers for HTTP/1. */
class GrpcIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("grpc");

    private final ServerProcess server = SHARED.process();

    @Test
    void unaryCallIsAnswered() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = call(socket, "/hello");
            socket.data(stream, new GrpcMessage("Jr\u00fcvoy", 0).framed(), true);
            HttpAnswer answer = socket.answer(stream);
            assertEquals(200, answer.status());
            assertEquals("application/grpc", answer.value("content-type"));
            assertEquals(List.of(new GrpcMessage("Hello Jr\u00fcvoy", 0)), GrpcMessage.allIn(answer.body()));
            assertStatus("0", answer);
        }
    }

    @Test
    void errorIsAStatusInTrailers() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = call(socket, "/hello");
            socket.data(stream, new GrpcMessage("", 0).framed(), true);
            HttpAnswer answer = socket.answer(stream);
            assertEquals(200, answer.status());
            assertEquals(0, answer.body().length);
            assertStatus("3", answer);
            assertEquals("no name", answer.trailer("grpc-message"));
        }
    }

    @Test
    void repliesComeOneByOne() {
        int count = 5;
        int size = new GrpcMessage("reply", 1).framed().length;
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = call(socket, "/count/stream");
            socket.data(stream, new GrpcMessage("", count).framed(), true);
            assertEquals(200, socket.head(stream).status());
            for (int number = 1; number <= count; number++) {
                socket.readFor(20);
                assertEquals((number - 1) * size, socket.received(stream, 0).body().length);
                server.open("stream-" + number);
                List<GrpcMessage> replies =
                        GrpcMessage.allIn(socket.received(stream, number * size).body());
                assertEquals(new GrpcMessage("reply", number), replies.getLast());
            }
            HttpAnswer answer = socket.answer(stream);
            assertEquals(count, GrpcMessage.allIn(answer.body()).size());
            assertStatus("0", answer);
            assertEquals("counted to 5", answer.trailer("grpc-message"));
        }
    }

    @Test
    void floodOfRepliesIsWhole() {
        int count = 2_000;
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = call(socket, "/flood");
            socket.data(stream, new GrpcMessage("", count).framed(), true);
            HttpAnswer answer = socket.answer(stream);
            List<GrpcMessage> replies = GrpcMessage.allIn(answer.body());
            assertEquals(count, replies.size());
            for (int index = 0; index < count; index++) {
                assertEquals(new GrpcMessage("x".repeat(10_000), index + 1), replies.get(index));
            }
            assertStatus("0", answer);
        }
    }

    @Test
    void requestsOfAStreamAndTheirTrailersArrive() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = call(socket, "/sum");
            for (int number = 1; number <= 100; number++) {
                socket.data(stream, new GrpcMessage("n", number).framed(), false);
            }
            socket.trailers(stream, "x-end", "yes", "x-count", "100");
            HttpAnswer answer = socket.answer(stream);
            assertEquals(List.of(new GrpcMessage("x-end=yes,x-count=100", 5_050)), GrpcMessage.allIn(answer.body()));
            assertStatus("0", answer);
        }
    }

    @Test
    void callsInBothDirectionsTakeTurns() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = call(socket, "/chat");
            int size = 0;
            for (String text : List.of("one", "three", "two")) {
                byte[] message = new GrpcMessage(text, 0).framed();
                socket.data(stream, message, false);
                size += message.length;
                String want = new StringBuilder(text).reverse().toString();
                HttpAnswer soFar = socket.received(stream, size);
                assertEquals(want, GrpcMessage.allIn(soFar.body()).getLast().text());
            }
            socket.data(stream, new byte[0], true);
            assertStatus("0", socket.answer(stream));
        }
    }

    @Test
    void failureInTheMiddleIsNoStatus() {
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = call(socket, "/broken/broken");
            socket.data(stream, new GrpcMessage("a", 0).framed(), true);
            HttpAnswer answer = socket.answer(stream);
            assertNull(answer.trailer("grpc-status"));
            assertFalse(answer.complete());
            assertTrue(socket.wasReset(stream));
            assertEquals("pong", socket.answer(socket.get("/ping")).text());
        }
        Eventually.holds("close", () -> server.journal("broken").contains("close"));
    }

    @Test
    void http1GetsTrailersWhenItTakesThem() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            HttpAnswer answer = socket.request("GET", "/plain", "te: trailers", "connection: te")
                    .answer();
            assertEquals("taken: true", answer.text());
            assertEquals("abc", answer.trailer("x-sum"));
            assertEquals("done", answer.trailer("x-state"));
            answer = socket.get("/plain").answer();
            assertEquals("taken: false", answer.text());
            assertEquals(List.of(), answer.trailers());
            assertEquals("pong", socket.get("/ping").answer().text());
        }
    }

    private static int call(Http2Socket socket, String path) {
        return socket.open("POST", path, false, "content-type", "application/grpc", "te", "trailers");
    }

    private static void assertStatus(String status, HttpAnswer answer) {
        assertTrue(answer.complete());
        assertNull(answer.value("grpc-status"));
        assertEquals(status, answer.trailer("grpc-status"));
    }
}
