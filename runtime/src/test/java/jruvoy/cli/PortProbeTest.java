// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A port that someone has is not free, even when that someone would share it. */
class PortProbeTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takenPortIsRefused(boolean shared) throws IOException {
        try (ServerSocketChannel other = ServerSocketChannel.open()) {
            other.setOption(StandardSocketOptions.SO_REUSEPORT, shared);
            other.bind(new InetSocketAddress(LOOPBACK, 0));
            int port = ((InetSocketAddress) other.getLocalAddress()).getPort();
            CliException e = assertThrows(CliException.class, () -> PortProbe.probe(LOOPBACK, port));
            assertEquals(Main.STATUS_FAILURE, e.status());
            assertEquals("127.0.0.1:" + port + " is already in use; choose another port with -p", e.getMessage());
        }
    }

    @Test
    void zeroFindsAFreeOne() {
        int port = PortProbe.probe(LOOPBACK, 0);
        assertTrue(port > 0);
        assertEquals(port, PortProbe.probe(LOOPBACK, port));
    }

    @Test
    void endpointsOfSixHaveBrackets() {
        assertEquals("[::1]:80", PortProbe.endpoint(InetAddress.ofLiteral("::1"), 80));
        assertEquals("[::]:80", PortProbe.endpoint(InetAddress.ofLiteral("::"), 80));
        assertEquals("127.0.0.1:80", PortProbe.endpoint(LOOPBACK, 80));
    }
}
