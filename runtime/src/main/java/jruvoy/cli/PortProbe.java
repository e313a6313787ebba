// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;

/**
 * Finds out whether a port is free. Envoy sets SO_REUSEPORT, so a second server on the same port would start and share
 * it silently; this binds without that option, which fails when anyone listens.
 */
final class PortProbe {
    private PortProbe() {}

    /** Turns what a person writes into an address. */
    static InetAddress address(String text) {
        if (text.isBlank()) {
            throw CliException.usage("--address is empty");
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw CliException.usage("--address: '" + text + "' is not an address of this machine");
        }
    }

    /**
     * Binds and lets go.
     *
     * @param port 0 for any
     * @return the port that was free
     */
    static int probe(InetAddress address, int port) {
        StandardProtocolFamily family =
                address instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        try (ServerSocketChannel channel = ServerSocketChannel.open(family)) {
            channel.bind(new InetSocketAddress(address, port));
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (BindException e) {
            throw CliException.failure(reason(address, port, e.getMessage()));
        } catch (IOException e) {
            throw CliException.failure("cannot listen on " + endpoint(address, port) + ": " + e.getMessage());
        }
    }

    /** Address and port as a URL has them. */
    static String endpoint(InetAddress address, int port) {
        return (address instanceof Inet6Address ? "[" + literal(address) + "]" : literal(address)) + ":" + port;
    }

    /** The address in digits; of IPv6 the two that people use in their short form. */
    static String literal(InetAddress address) {
        if (address instanceof Inet6Address && address.isLoopbackAddress()) {
            return "::1";
        }
        return address instanceof Inet6Address && address.isAnyLocalAddress() ? "::" : address.getHostAddress();
    }

    private static String reason(InetAddress address, int port, String cause) {
        if (cause != null && cause.contains("in use")) {
            return endpoint(address, port) + " is already in use; choose another port with -p";
        }
        return "cannot listen on " + endpoint(address, port) + ": " + cause;
    }
}
