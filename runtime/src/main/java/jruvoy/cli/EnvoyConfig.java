// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * Envoy's bootstrap for one server. {@code config/envoy.yaml} is the same by hand, with the reason for each choice beside
 * it; a test compares the two.
 */
final class EnvoyConfig {
    private static final String TYPE = "type.googleapis.com/";
    private static final String STRUCT = TYPE + "google.protobuf.Struct";
    private static final String MAX_CONNECTIONS = "envoy.resource_monitors.global_downstream_max_connections";

    private EnvoyConfig() {}

    /**
     * What differs from server to server.
     *
     * @param address to listen on
     * @param port to listen on
     * @param admin Envoy's address object of the admin page, or null for none
     * @param concurrency worker threads
     * @param filter the filter's settings
     * @param bootstrap the bootstrap extension's settings
     */
    record Server(
            String address,
            int port,
            Map<String, Object> admin,
            int concurrency,
            Map<String, Object> filter,
            Map<String, Object> bootstrap) {}

    static Map<String, Object> socketAddress(String address, int port) {
        Map<String, Object> socket = map("address", address, "port_value", port);
        if (address.equals("::")) {
            socket.put("ipv4_compat", true);
        }
        return map("socket_address", socket);
    }

    static Map<String, Object> pipeAddress(String path) {
        return map("pipe", map("path", path, "mode", 0600));
    }

    static String yaml(Map<String, Object> config) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setIndent(2);
        options.setIndicatorIndent(0);
        options.setWidth(10_000);
        return new Yaml(options).dump(config);
    }

    static Map<String, Object> of(Server server) {
        Map<String, Object> config = new LinkedHashMap<>();
        if (server.admin() != null) {
            config.put("admin", map("address", server.admin()));
        }
        config.put("overload_manager", map("resource_monitors", List.of(connectionLimit())));
        config.put("bootstrap_extensions", List.of(bootstrapExtension(server.bootstrap())));
        config.put("static_resources", map("listeners", List.of(listener(server))));
        return config;
    }

    private static Map<String, Object> connectionLimit() {
        return map(
                "name",
                MAX_CONNECTIONS,
                "typed_config",
                map(
                        "@type",
                        TYPE
                                + "envoy.extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig",
                        "max_active_downstream_connections",
                        50_000));
    }

    private static Map<String, Object> module() {
        return map("name", "jruvoy", "do_not_close", true, "metrics_namespace", "jruvoy");
    }

    private static Map<String, Object> bootstrapExtension(Map<String, Object> settings) {
        return map(
                "name",
                "envoy.bootstrap.dynamic_modules",
                "typed_config",
                map(
                        "@type",
                        TYPE + "envoy.extensions.bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension",
                        "dynamic_module_config",
                        module(),
                        "extension_name",
                        "jvm",
                        "extension_config",
                        map("@type", STRUCT, "value", settings)));
    }

    private static Map<String, Object> listener(Server server) {
        return map(
                "name",
                "http",
                "address",
                socketAddress(server.address(), server.port()),
                "enable_reuse_port",
                server.concurrency() > 1,
                "tcp_backlog_size",
                1024,
                "per_connection_buffer_limit_bytes",
                262_144,
                "filter_chains",
                List.of(map("filters", List.of(connectionManager(server.filter())))));
    }

    private static Map<String, Object> connectionManager(Map<String, Object> settings) {
        Map<String, Object> config = map(
                "@type",
                TYPE + "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
                "stat_prefix",
                "ingress",
                "codec_type",
                "AUTO");
        config.putAll(requestHandling());
        config.putAll(protocols());
        config.put("route_config", map("virtual_hosts", List.of(map("name", "all", "domains", List.of("*")))));
        config.put("http_filters", List.of(filter(settings)));
        return map("name", "envoy.filters.network.http_connection_manager", "typed_config", config);
    }

    private static Map<String, Object> requestHandling() {
        return map(
                "use_remote_address",
                true,
                "generate_request_id",
                true,
                "server_header_transformation",
                "PASS_THROUGH",
                "normalize_path",
                false,
                "merge_slashes",
                false,
                "path_with_escaped_slashes_action",
                "KEEP_UNCHANGED",
                "stream_idle_timeout",
                "0s",
                "request_headers_timeout",
                "60s",
                "upgrade_configs",
                List.of(map("upgrade_type", "websocket")));
    }

    private static Map<String, Object> protocols() {
        return map(
                "common_http_protocol_options",
                map("headers_with_underscores_action", "REJECT_REQUEST"),
                "http_protocol_options",
                map(
                        "accept_http_10", true,
                        "default_host_for_http_10", "localhost",
                        "allow_custom_methods", true,
                        "enable_trailers", true),
                "http2_protocol_options",
                map(
                        "allow_connect", true,
                        "initial_stream_window_size", 262_144,
                        "initial_connection_window_size", 1_048_576));
    }

    private static Map<String, Object> filter(Map<String, Object> settings) {
        return map(
                "name",
                "rack",
                "typed_config",
                map(
                        "@type",
                        TYPE + "envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter",
                        "dynamic_module_config",
                        module(),
                        "filter_name",
                        "rack",
                        "terminal_filter",
                        true,
                        "filter_config",
                        map("@type", STRUCT, "value", settings)));
    }

    /** An ordered map of name, value, name, value. */
    private static Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }
}
