// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jruvoy.bridge.HeaderBlockText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an app returns goes out as HTTP allows, or not at all. */
class RackResponseTest {
    private final RackResponse response = new RackResponse();

    @Test
    void writesNamesInLowerCaseAndArraysAsLines() {
        parse("200", "{ 'Content-Type' => 'text/plain', 'set-cookie' => ['a=1', 'b=2, x'], 'x-empty' => '' }");
        assertEquals(
                ":status: 200\ncontent-type: text/plain\nset-cookie: a=1\nset-cookie: b=2, x\nx-empty: \n", head());
    }

    @Test
    void dropsWhatIsNotTheClients() {
        parse(
                "200",
                "{ 'rack.x' => 'secret', 'connection' => 'x-hop, keep-alive', 'keep-alive' => '1', 'x-hop' => '1',"
                        + " 'transfer-encoding' => 'chunked', 'te' => 'trailers', 'upgrade' => 'foo', 'trailer' => 'x',"
                        + " 'proxy-connection' => 'x', 'status' => '200', 'x-ok' => '1', 'x-nil' => nil }");
        assertEquals(":status: 200\nx-ok: 1\n", head());
    }

    @Test
    void takesNumbersAndSymbols() {
        parse("'404'", "{ 'x-int' => 42, sym: '1', 'content-length' => 2 }");
        assertEquals(":status: 404\nx-int: 42\nsym: 1\n", head());
        assertEquals(2, response.contentLength());
    }

    @Test
    void trimsBlanks() {
        parse("200", "{ 'x-a' => \" \\t a b \\t\" }");
        assertEquals(":status: 200\nx-a: a b\n", head());
    }

    @Test
    void keepsHighBytesAndTabs() {
        parse("200", "{ 'x-a' => \"a\\tb\\xE9\".b }");
        assertEquals(":status: 200\nx-a: a\tb\u00e9\n", head());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ 'x-bad' => \"a\\r\\nx: 1\" }",
                "{ 'x-bad' => \"a\\n\" }",
                "{ 'x-bad' => \"a\\rb\" }",
                "{ 'x-bad' => \"a\\0b\" }",
                "{ 'x-bad' => \"\\x7f\" }",
                "{ 'x-bad' => ['fine', \"a\\nb\"] }",
                "{ \"x-a\\r\\nx-b\" => '1' }",
                "{ 'x b' => '1' }",
                "{ 'x:b' => '1' }",
                "{ '' => '1' }",
                "{ ':status' => '200' }",
                "{ 'x-a' => Object.new }",
                "{ 'content-length' => 'abc' }",
                "{ 'content-length' => '-1' }",
                "{ 'content-length' => '4, 4' }",
                "{ 'content-length' => '+4' }",
                "nil",
                "'a: b'",
                "[['a', 'b']]"
            })
    void refusesHeadersThatHttpForbids(String headers) {
        assertThrows(InvalidResponse.class, () -> parse("200", headers));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nil",
                "'abc'",
                "0",
                "-1",
                "99",
                "100",
                "101",
                "103",
                "199",
                "1000",
                "2**70",
                "Float::NAN",
                "200.0",
                "'20'",
                "[]"
            })
    void refusesStatusesThatAreNotFinal(String status) {
        assertThrows(InvalidResponse.class, () -> parse(status, "{}"));
    }

    @Test
    void saysNothingOfContentThatIsNotThere() {
        for (String status : new String[] {"204", "304"}) {
            parse(status, "{ 'content-type' => 'a/b', 'content-length' => '5', 'etag' => 'x' }");
            assertEquals(":status: " + status + "\netag: x\n", head());
            assertTrue(response.isBodiless());
            assertEquals(-1, response.contentLength());
        }
    }

    @Test
    void makesAnAcceptedUpgradeA101() {
        String headers = "{ 'rack.protocol' => 'websocket', 'content-type' => 'a/b', 'sec-websocket-accept' => 'k' }";
        for (String status : new String[] {"200", "101"}) {
            upgrade(status, headers);
            assertEquals(":status: 101\nsec-websocket-accept: k\nupgrade: WebSocket\nconnection: upgrade\n", head());
            assertTrue(response.isUpgrade());
        }
    }

    @Test
    void takesAHijackAsAcceptance() {
        upgrade("101", "{ 'rack.hijack' => proc {}, 'upgrade' => 'websocket', 'connection' => 'Upgrade' }");
        assertEquals(":status: 101\nupgrade: WebSocket\nconnection: upgrade\n", head());
        assertNotNull(response.hijack());
        upgrade("200", "{ 'rack.hijack' => proc {} }");
        assertEquals(":status: 101\nupgrade: foo/1\nconnection: upgrade\n", head());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ 'rack.protocol' => 'other' }",
                "{ 'rack.protocol' => '' }",
                "{ 'rack.protocol' => 'foo/1, websocket' }",
                "{ 'rack.hijack' => proc {}, 'upgrade' => \"websocket\\r\\nx: 1\" }"
            })
    void refusesAProtocolThatWasNotOffered(String headers) {
        assertThrows(InvalidResponse.class, () -> upgrade("101", headers));
    }

    @Test
    void leavesARefusedUpgradeAlone() {
        upgrade("403", "{ 'rack.protocol' => 'websocket', 'x-a' => '1' }");
        assertEquals(":status: 403\nx-a: 1\n", head());
        assertThrows(InvalidResponse.class, () -> upgrade("101", "{}"));
    }

    private void parse(String status, String headers) {
        response.parse(RackTestRuntime.CONTEXT, RackTestRuntime.eval(status), RackTestRuntime.eval(headers), null);
    }

    private void upgrade(String status, String headers) {
        response.parse(
                RackTestRuntime.CONTEXT,
                RackTestRuntime.eval(status),
                RackTestRuntime.eval(headers),
                "foo/1, WebSocket");
    }

    private String head() {
        return HeaderBlockText.of(response.head());
    }
}
