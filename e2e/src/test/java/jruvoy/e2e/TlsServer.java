// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;

/** A server with the hand-written configuration of TLS and HTTP/3, and its certificates. Thread: the test's. */
final class TlsServer implements AutoCloseable {
    /** Its port for HTTP/3. */
    final int udpPort = ServerLaunch.freePort();

    /** What it shows to clients. */
    final Certificate certificate;

    /** What clients may show to it. */
    final Certificate client;

    /** The server; its port is the one for TLS over TCP. */
    final ServerProcess process;

    /** Starts it with a fixture and waits until it takes connections. */
    TlsServer(String fixture) throws IOException, GeneralSecurityException, InterruptedException {
        String yaml = Files.readString(Project.ROOT.resolve("config/envoy-http3.yaml"))
                .replaceFirst("port_value: 9901", "port_value: " + ServerLaunch.freePort())
                .replaceFirst("port_value: 8443", "port_value: 8080")
                .replace("port_value: 8443", "port_value: " + udpPort)
                .replace("# validation_context:", "validation_context:");
        ServerLaunch launch = ServerLaunch.envoyText(
                Project.ENVOY, yaml, Project.fixture(fixture).toString());
        certificate = new Certificate(launch.folder, "cert.pem", "CN=localhost");
        client = new Certificate(launch.folder, "client-cert.pem", "CN=client, O=Jruvoy");
        process = launch.connectable();
    }

    /** An HTTP/3 client that trusts it. */
    Http3Client http3() {
        return new Http3Client(udpPort, certificate.file);
    }

    @Override
    public void close() {
        process.close();
    }
}
