// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the options of one server amount to, checked.
 *
 * @param address to listen on
 * @param port to listen on; 0 only in a plan that is not run
 * @param adminPort of the admin page on the loopback address, or 0 for none
 * @param concurrency worker threads
 * @param filter the filter's settings that were given
 * @param bootstrap the bootstrap extension's settings
 */
record ServerPlan(
        InetAddress address,
        int port,
        int adminPort,
        int concurrency,
        Map<String, Object> filter,
        Map<String, Object> bootstrap) {

    private static final InetAddress ADMIN = InetAddress.ofLiteral("127.0.0.1");

    /** Checks the options and the rackup; does not touch the ports. */
    static ServerPlan make(ServerOptions options, KeyOptions keys) {
        Map<String, Object> filter = keys.given();
        int port = options.port();
        int adminPort = options.adminPort();
        int concurrency = options.concurrency();
        options.logLevel();
        InetAddress address = PortProbe.address(options.address());
        Rackup.resolve(filter, options.rackup());
        Map<String, Object> bootstrap = new LinkedHashMap<>();
        bootstrap.put("java_home", System.getProperty("java.home"));
        if (!options.jvmOptions().isEmpty()) {
            bootstrap.put("jvm_options", options.jvmOptions());
        }
        return new ServerPlan(address, port, adminPort, concurrency, filter, bootstrap);
    }

    /** The same plan after the ports were found free; port 0 becomes a real one. */
    ServerPlan probed() {
        int free = PortProbe.probe(address, port);
        if (adminPort > 0) {
            PortProbe.probe(ADMIN, adminPort);
        }
        return new ServerPlan(address, free, adminPort, concurrency, filter, bootstrap);
    }

    /** Envoy's configuration for anyone to run. */
    Map<String, Object> config() {
        Map<String, Object> admin =
                adminPort > 0 ? EnvoyConfig.socketAddress(PortProbe.literal(ADMIN), adminPort) : null;
        return config(admin, bootstrap);
    }

    /** Envoy's configuration for a run with a folder of its own. */
    Map<String, Object> config(Path folder) {
        Map<String, Object> settings = new LinkedHashMap<>(bootstrap);
        settings.put("run_folder", folder.toString());
        Map<String, Object> admin = adminPort > 0
                ? EnvoyConfig.socketAddress(PortProbe.literal(ADMIN), adminPort)
                : EnvoyConfig.pipeAddress(folder.resolve("admin.sock").toString());
        return config(admin, settings);
    }

    private Map<String, Object> config(Map<String, Object> admin, Map<String, Object> settings) {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.put("listening_url", "http://" + PortProbe.endpoint(address, port));
        return EnvoyConfig.of(
                new EnvoyConfig.Server(PortProbe.literal(address), port, admin, concurrency, filter, all));
    }
}
