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
import java.util.Map;
import java.util.stream.Collectors;
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
            HttpResponse<String> second = get(client, server, HttpClient.Version.HTTP_2);
            assertEquals(HttpClient.Version.HTTP_2, second.version());
            assertTrue(second.headers().firstValue("alt-svc").orElse("").startsWith("h3="));
            assertFacts("HTTP/2", second.body());
            assertFacts("HTTP/1.1", get(client, server, HttpClient.Version.HTTP_1_1).body());
            assertEquals(0, server.stop(), server::tail);
        }
    }

    private static void assertFacts(String protocol, String dump) {
        Map<String, String> env = Arrays.stream(dump.split("\n"))
                .map(line -> line.split("\t", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> text(pair[1])));
        assertEquals(protocol, env.get("SERVER_PROTOCOL"));
        assertEquals("https", env.get("rack.url_scheme"));
        assertEquals("on", env.get("HTTPS"));
        assertEquals("TLSv1.3", env.get("SSL_PROTOCOL"));
        assertEquals("localhost", env.get("SSL_TLS_SNI"));
        assertFalse(env.containsKey("SSL_CLIENT_S_DN"));
    }

    private static HttpResponse<String> get(HttpClient client, ServerProcess server, HttpClient.Version version)
            throws IOException, InterruptedException {
        URI place = URI.create("https://localhost:" + server.port + "/dump");
        return client.send(
                HttpRequest.newBuilder(place).version(version).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String text(String hexadecimal) {
        return new String(HexFormat.of().parseHex(hexadecimal), StandardCharsets.ISO_8859_1);
    }
}
