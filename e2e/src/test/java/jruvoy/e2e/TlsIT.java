// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;

/** The hand-written configuration with TLS and HTTP/3 serves, and apps are told of the connection. */
class TlsIT {
    @Test
    void handWrittenServesAndTellsOfTls() throws IOException, GeneralSecurityException, InterruptedException {
        String yaml = Files.readString(Project.ROOT.resolve("config/envoy-http3.yaml"))
                .replaceFirst("port_value: 9901", "port_value: " + ServerLaunch.freePort())
                .replaceFirst("port_value: 8443", "port_value: 8080")
                .replace("port_value: 8443", "port_value: " + ServerLaunch.freePort());
        ServerLaunch launch = ServerLaunch.envoyText(
                Project.ENVOY, yaml, Project.fixture("headers").toString());
        Certificate certificate = new Certificate(launch.folder);
        try (ServerProcess server = launch.connectable();
                HttpClient client =
                        HttpClient.newBuilder().sslContext(certificate.trust()).build()) {
            HttpResponse<String> second = get(client, server);
            assertEquals(HttpClient.Version.HTTP_2, second.version());
            assertTrue(second.headers().firstValue("alt-svc").orElse("").startsWith("h3="));
            assertFacts("HTTP/2", "localhost", second.body());
            assertFacts("HTTP/1.1", "a.test", getNaming("a.test", certificate, server));
            assertEquals(0, server.stop(), server::tail);
        }
    }

    private static void assertFacts(String protocol, String serverName, String dump) {
        Map<String, String> env = Arrays.stream(dump.split("\n"))
                .map(line -> line.split("\t", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> text(pair[1])));
        assertEquals(protocol, env.get("SERVER_PROTOCOL"));
        assertEquals("https", env.get("rack.url_scheme"));
        assertEquals("on", env.get("HTTPS"));
        assertEquals("TLSv1.3", env.get("SSL_PROTOCOL"));
        assertEquals(serverName, env.get("SSL_TLS_SNI"));
        assertFalse(env.containsKey("SSL_CLIENT_S_DN"));
    }

    private static HttpResponse<String> get(HttpClient client, ServerProcess server)
            throws IOException, InterruptedException {
        URI place = URI.create("https://localhost:" + server.port + "/dump");
        return client.send(HttpRequest.newBuilder(place).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The JDK's HTTP client names the host it connects to; this one names any. */
    private static String getNaming(String name, Certificate certificate, ServerProcess server)
            throws IOException, GeneralSecurityException {
        SSLSocketFactory factory = certificate.trust().getSocketFactory();
        try (SSLSocket socket = (SSLSocket) factory.createSocket("127.0.0.1", server.port)) {
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

    private static String text(String hexadecimal) {
        return new String(HexFormat.of().parseHex(hexadecimal), StandardCharsets.ISO_8859_1);
    }
}
