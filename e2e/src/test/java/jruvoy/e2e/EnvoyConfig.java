// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** A small Envoy config around our filter, with or without the bootstrap extension. Thread: the test's. */
final class EnvoyConfig {
    private static final String STRUCT = "{\"@type\": type.googleapis.com/google.protobuf.Struct, value: %s}";
    private static final String EXTENSIONS = "type.googleapis.com/envoy.extensions.";

    private final Map<String, String> filter = new LinkedHashMap<>();
    private final Map<String, String> bootstrap = new LinkedHashMap<>();
    private final boolean hasBootstrap;

    private EnvoyConfig(boolean hasBootstrap) {
        this.hasBootstrap = hasBootstrap;
    }

    /** The filter alone. */
    static EnvoyConfig filterOnly(Path rackup) {
        return new EnvoyConfig(false).filter("rackup", '"' + rackup.toString() + '"');
    }

    /** Filter and bootstrap extension, which prints the ready line. */
    static EnvoyConfig full(Path rackup) {
        return new EnvoyConfig(true).filter("rackup", '"' + rackup.toString() + '"');
    }

    /** Sets a filter key to a value in YAML's flow style. */
    EnvoyConfig filter(String key, String value) {
        filter.put(key, value);
        return this;
    }

    /** Leaves a filter key out. */
    EnvoyConfig without(String key) {
        filter.remove(key);
        return this;
    }

    /** Sets a bootstrap key to a value in YAML's flow style. */
    EnvoyConfig bootstrap(String key, String value) {
        bootstrap.put(key, value);
        return this;
    }

    /** The whole config. */
    String yaml(int port, int adminPort) {
        String text = "admin: {address: {socket_address: {address: 127.0.0.1, port_value: " + adminPort + "}}}\n";
        if (hasBootstrap) {
            bootstrap.putIfAbsent("listening_url", "\"http://127.0.0.1:" + port + '"');
            text += bootstrapExtension();
        }
        return text + listener(port);
    }

    private String bootstrapExtension() {
        return """
                bootstrap_extensions:
                - name: envoy.bootstrap.dynamic_modules
                  typed_config:
                    "@type": %sbootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension
                    dynamic_module_config: {name: jruvoy, do_not_close: true, metrics_namespace: jruvoy}
                    extension_name: jruvoy
                    extension_config: %s
                """.formatted(EXTENSIONS, STRUCT.formatted(flow(bootstrap)));
    }

    private String listener(int port) {
        return """
                static_resources:
                  listeners:
                  - name: http
                    address: {socket_address: {address: 127.0.0.1, port_value: %d}}
                    filter_chains:
                    - filters:
                      - name: envoy.filters.network.http_connection_manager
                        typed_config:
                          "@type": %sfilters.network.http_connection_manager.v3.HttpConnectionManager
                          stat_prefix: http
                          route_config: {virtual_hosts: [{name: all, domains: ["*"]}]}
                          http_filters:
                          - name: rack
                            typed_config:
                              "@type": %sfilters.http.dynamic_modules.v3.DynamicModuleFilter
                              dynamic_module_config: {name: jruvoy, do_not_close: true, metrics_namespace: jruvoy}
                              filter_name: rack
                              terminal_filter: true
                              filter_config: %s
                """.formatted(port, EXTENSIONS, EXTENSIONS, STRUCT.formatted(flow(filter)));
    }

    private static String flow(Map<String, String> map) {
        StringJoiner pairs = new StringJoiner(", ", "{", "}");
        map.forEach((key, value) -> pairs.add(key + ": " + value));
        return pairs.toString();
    }
}
