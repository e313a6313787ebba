// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Status and headers of responses over both protocols: what may leave leaves as it is, what may not never does. */
class HeadersIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("headers");

    private final ServerProcess server = SHARED.process();

    @ParameterizedTest
    @EnumSource
    void arrayBecomesSeveralLines(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            assertEquals(
                    List.of("a=1; path=/", "b=2, x", "c=3"),
                    connection.get("/several").values("set-cookie"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void internalHeadersStayInside(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            HttpAnswer answer = connection.get("/internal");
            assertEquals("1", answer.value("x-ok"));
            assertTrue(answer.fields().stream().noneMatch(field -> field.value().contains("secret")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void forbiddenBytesBecomeA500AndALineOfTheLog(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            for (String kind : List.of("value/crlf", "value/lf", "value/cr", "value/nul", "name")) {
                String path = "/bad-" + kind;
                HttpAnswer answer = connection.get(path, "x-request-id", "bad-" + wire);
                assertEquals(500, answer.status());
                assertNull(answer.value("x-injected"));
                assertNull(answer.value("x-bad"));
                assertNull(answer.value("x-good"));
                server.awaitLog("GET " + path);
                assertEquals("ok", connection.get("/several").text());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void hopByHopHeadersAreNotSent(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            HttpAnswer answer = connection.get("/hop");
            assertEquals("hop body", answer.text());
            for (String name : List.of("connection", "keep-alive", "te", "upgrade")) {
                assertNull(answer.value(name), name);
            }
            assertEquals("ok", connection.get("/several").text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void statusWithoutBodyLosesWhatTheAppGave(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            for (int status : new int[] {204, 304}) {
                HttpAnswer answer = connection.get("/bare/" + status);
                assertEquals(status, answer.status());
                assertEquals(0, answer.body().length);
                assertNull(answer.value("content-length"));
                assertNull(answer.value("content-type"));
                assertTrue(answer.complete());
                assertEquals("ok", connection.get("/several").text());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void statusesPassAndWhatIsNoFinalStatusIsA500(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            for (int status : new int[] {200, 201, 206, 299, 302, 404, 418, 451, 503, 599, 799, 999}) {
                HttpAnswer answer = connection.get("/bare/" + status);
                assertEquals(status, answer.status());
                assertEquals("body", answer.text());
            }
            for (int status : new int[] {-200, 0, 99, 100, 101, 103, 199, 1_000, 20_000}) {
                assertEquals(500, connection.get("/bare/" + status).status());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void headHasTheLengthOfTheAppAndNoBody(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            for (String path : List.of("/bare/200", "/several", "/bare/204", "/hop")) {
                HttpAnswer answer = connection.ask("HEAD", path);
                assertEquals(path.equals("/bare/204") ? 204 : 200, answer.status());
                assertEquals(path.equals("/bare/200") ? "4" : null, answer.value("content-length"));
                assertEquals(0, answer.body().length);
                assertEquals("ok", connection.get("/several").text());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void oddButHarmlessHeadersWork(Wire wire) {
        try (Wire.Connection connection = wire.connect(server.port)) {
            assertEquals("caf\u00e9", connection.get("/latin").value("x-latin"));
            assertEquals("1", connection.get("/upper").value("x-upper"));
            assertEquals("42", connection.get("/integer").value("x-integer"));
            assertEquals("ok", connection.get("/frozen").text());
            assertEquals("59", connection.get("/many/60").value("x-many-59"));
        }
    }
}
