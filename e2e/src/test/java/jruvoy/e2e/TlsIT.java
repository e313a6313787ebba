// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** The hand-written configuration with TLS and HTTP/3 serves, and apps are told of the connection. */
class TlsIT {
    private static final String PEER = "SSL_CLIENT_S_DN";

    @Test
    void handWrittenServesAndTellsOfTls() throws IOException, GeneralSecurityException, InterruptedException {
        try (TlsServer server = new TlsServer("headers")) {
            tellsOfHttp2(server);
            tellsOfTheNameAskedFor(server);
            tellsOfTheClientsCertificate(server);
            tellsOfHttp3(server);
            assertEquals(0, server.process.stop(), server.process::tail);
        }
    }

    private static void tellsOfHttp2(TlsServer server)
            throws IOException, GeneralSecurityException, InterruptedException {
        HttpResponse<String> answer = get(server, server.certificate.trust());
        assertEquals(HttpClient.Version.HTTP_2, answer.version());
        assertTrue(answer.headers().firstValue("alt-svc").orElse("").startsWith("h3="));
        assertFacts("HTTP/2", "localhost", null, env(answer.body()));
    }

    private static void tellsOfTheNameAskedFor(TlsServer server) throws IOException, GeneralSecurityException {
        String dump = getNaming("a.test", server.certificate.trust(), server);
        assertFacts("HTTP/1.1", "a.test", null, env(dump));
    }

    private static void tellsOfTheClientsCertificate(TlsServer server)
            throws IOException, GeneralSecurityException, InterruptedException {
        SSLContext shows = server.certificate.trust(server.client);
        String subject = "CN=client,O=Jruvoy";
        assertFacts("HTTP/2", "localhost", subject, env(get(server, shows).body()));
        assertFacts("HTTP/1.1", "a.test", subject, env(getNaming("a.test", shows, server)));
    }

    private static void tellsOfHttp3(TlsServer server) {
        HttpAnswer answer = server.http3()
                .get("/dump/a%2Fb?x=%20", "x-twice", "one", "x-twice", "two", "cookie", "a=1", "cookie", "b=2")
                .answers()
                .getFirst();
        Map<String, String> env = env(answer.text());
        assertFacts("HTTP/3", "localhost", null, env);
        assertEquals("GET", env.get("REQUEST_METHOD"));
        assertEquals("/dump/a%2Fb", env.get("PATH_INFO"));
        assertEquals("x=%20", env.get("QUERY_STRING"));
        assertEquals("localhost:" + server.udpPort, env.get("HTTP_HOST"));
        assertEquals("127.0.0.1", env.get("REMOTE_ADDR"));
        assertEquals("one, two", env.get("HTTP_X_TWICE").replace(",two", ", two"));
        assertEquals("a=1; b=2", env.get("HTTP_COOKIE"));
    }

    private static void assertFacts(String protocol, String serverName, String subject, Map<String, String> env) {
        assertEquals(protocol, env.get("SERVER_PROTOCOL"));
        assertEquals("https", env.get("rack.url_scheme"));
        assertEquals("on", env.get("HTTPS"));
        assertEquals("TLSv1.3", env.get("SSL_PROTOCOL"));
        assertEquals(serverName, env.get("SSL_TLS_SNI"));
        assertEquals(subject, env.get(PEER));
        assertEquals(subject != null, env.containsKey(PEER));
    }

    private static HttpResponse<String> get(TlsServer server, SSLContext context)
            throws IOException, InterruptedException {
        URI place = URI.create("https://localhost:" + server.process.port + "/dump");
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            return client.send(HttpRequest.newBuilder(place).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    /** The JDK's HTTP client names the host it connects to; this one names any. */
    private static String getNaming(String name, SSLContext context, TlsServer server) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.process.port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            socket.setSSLParameters(parameters);
            socket.getOutputStream()
                    .write("GET /dump HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }

    private static Map<String, String> env(String dump) {
        return Arrays.stream(dump.split("\n"))
                .map(line -> line.split("\t", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> text(pair[1])));
    }

    private static String text(String hexadecimal) {
        return new String(HexFormat.of().parseHex(hexadecimal), StandardCharsets.ISO_8859_1);
    }
}
