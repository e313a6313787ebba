// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import jruvoy.bridge.Layout;
import jruvoy.bridge.RecordBuilder;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.junit.jupiter.api.Test;

/** The env says what the client sent, byte for byte, under Rack's names. */
class RackEnvTest {
    private final EnvKeys keys = new EnvKeys(RackTestRuntime.RUNTIME);
    private final RackEnv env = new RackEnv(RackTestRuntime.RUNTIME, keys);

    @Test
    void hasWhatRackRequires() {
        RubyHash built = build(new RecordBuilder()
                .field(Layout.FIELD_METHOD, "POST")
                .field(Layout.FIELD_PATH, "/a%2Fb?x=1?&y")
                .field(Layout.FIELD_AUTHORITY, "example.test:8181"));
        assertEquals("POST", get(built, "REQUEST_METHOD"));
        assertEquals("", get(built, "SCRIPT_NAME"));
        assertEquals("/a%2Fb", get(built, "PATH_INFO"));
        assertEquals("x=1?&y", get(built, "QUERY_STRING"));
        assertEquals("example.test", get(built, "SERVER_NAME"));
        assertEquals("8181", get(built, "SERVER_PORT"));
        assertEquals("example.test:8181", get(built, "HTTP_HOST"));
        assertEquals("HTTP/1.1", get(built, "SERVER_PROTOCOL"));
        assertEquals("http", get(built, "rack.url_scheme"));
        assertEquals("127.0.0.1", get(built, "REMOTE_ADDR"));
        assertNull(get(built, "HTTP_VERSION"));
    }

    @Test
    void knowsIpv6() {
        RubyHash built = build(new RecordBuilder()
                .field(Layout.FIELD_AUTHORITY, "[::1]:9292")
                .field(Layout.FIELD_REMOTE_ADDRESS, "[2001:db8::7]:40000"));
        assertEquals("[::1]", get(built, "SERVER_NAME"));
        assertEquals("9292", get(built, "SERVER_PORT"));
        assertEquals("2001:db8::7", get(built, "REMOTE_ADDR"));
        assertEquals("[::1]", get(build(new RecordBuilder().field(Layout.FIELD_AUTHORITY, "[::1]")), "SERVER_NAME"));
    }

    @Test
    void takesThePortOfTheScheme() {
        assertEquals("80", get(build(new RecordBuilder()), "SERVER_PORT"));
        assertEquals("443", get(build(new RecordBuilder().field(Layout.FIELD_SCHEME, "https")), "SERVER_PORT"));
    }

    @Test
    void tellsOfTls() {
        RubyHash built = build(new RecordBuilder()
                .field(Layout.FIELD_SCHEME, "https")
                .field(Layout.FIELD_TLS_VERSION, "TLSv1.3")
                .field(Layout.FIELD_TLS_PEER_SUBJECT, "CN=me,O=Example"));
        assertEquals("on", get(built, "HTTPS"));
        assertEquals("TLSv1.3", get(built, "SSL_PROTOCOL"));
        assertEquals("CN=me,O=Example", get(built, "SSL_CLIENT_S_DN"));
        assertNull(get(built, "SSL_TLS_SNI"));
        RubyHash plain = build(new RecordBuilder());
        assertNull(get(plain, "HTTPS"));
        assertNull(get(plain, "SSL_PROTOCOL"));
    }

    @Test
    void knowsEveryFormOfTarget() {
        assertEquals("*", path("*"));
        assertEquals("/", path("http://example.test"));
        assertEquals("/x", path("http://example.test/x"));
        assertEquals("//x", path("//x"));
        assertEquals("", get(build(new RecordBuilder().field(Layout.FIELD_PATH, "/x?")), "QUERY_STRING"));
    }

    @Test
    void joinsRepeatedHeaders() {
        RubyHash built = build(new RecordBuilder()
                .header("x-dup", "a")
                .header("cookie", "a=1")
                .header("x-dup", "b, c")
                .header("cookie", "b=2")
                .header("x-dup", ""));
        assertEquals("a, b, c, ", get(built, "HTTP_X_DUP"));
        assertEquals("a=1; b=2", get(built, "HTTP_COOKIE"));
    }

    @Test
    void joinsThemWhenNamesTakeEachOthersPlace() {
        RecordBuilder many = new RecordBuilder();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 3000; i++) {
                many.header("x-" + i, "v" + round);
            }
        }
        RubyHash built = build(many);
        for (int i = 0; i < 3000; i++) {
            assertEquals("v0, v1", get(built, "HTTP_X_" + i));
        }
        assertEquals("v", get(build(new RecordBuilder().header("x-1", "v")), "HTTP_X_1"));
    }

    @Test
    void prefixesNeitherContentTypeNorLength() {
        RubyHash built = build(new RecordBuilder().header("content-type", "a/b").header("content-length", "5"));
        assertEquals("a/b", get(built, "CONTENT_TYPE"));
        assertEquals("5", get(built, "CONTENT_LENGTH"));
        assertNull(get(built, "HTTP_CONTENT_TYPE"));
    }

    @Test
    void hidesNamesThatPassForOthers() {
        RubyHash built = build(new RecordBuilder()
                .header("proxy", "http://evil.test")
                .header("x_forwarded_for", "6.6.6.6")
                .header("host", "other.test")
                .header("x-forwarded-for", "1.1.1.1"));
        assertNull(get(built, "HTTP_PROXY"));
        assertEquals("1.1.1.1", get(built, "HTTP_X_FORWARDED_FOR"));
        assertEquals("localhost", get(built, "HTTP_HOST"));
    }

    @Test
    void valuesAreBinaryAndIndependent() {
        RubyHash built = build(new RecordBuilder().header("x-a", "\u00e9").header("x-b", "next"));
        RubyString first = (RubyString) built.fastARef(RackTestRuntime.RUNTIME.newString("HTTP_X_A"));
        assertSame(ASCIIEncoding.INSTANCE, first.getEncoding());
        first.cat(new byte[] {'!', '!', '!'});
        assertEquals("\u00e9!!!", get(built, "HTTP_X_A"));
        assertEquals("next", get(built, "HTTP_X_B"));
    }

    /** A collection between the two lines may make JRuby forget the string and intern another one. */
    @Test
    void keysAreTheInternedLiterals() {
        String literal = "# frozen_string_literal: true\n\"HTTP_X_LITERAL\"";
        boolean same = IntStream.range(0, 10)
                .anyMatch(attempt -> RackTestRuntime.eval(literal) == keys.intern("HTTP_X_LITERAL"));
        assertTrue(same, "never the literal's own object");
    }

    private String path(String target) {
        return get(build(new RecordBuilder().field(Layout.FIELD_PATH, target)), "PATH_INFO");
    }

    private RubyHash build(RecordBuilder record) {
        return env.build(record.build());
    }

    private static String get(RubyHash env, String key) {
        return RackTestRuntime.get(env, key);
    }
}
