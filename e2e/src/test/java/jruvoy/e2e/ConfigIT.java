// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The config that the command writes, the one written by hand, and the one of the benchmark's ceiling say the same. */
class ConfigIT {
    @Test
    void generatedAndHandWrittenSayTheSame() throws IOException {
        Map<String, Object> written = parse(Files.readString(Project.ROOT.resolve("config/envoy.yaml")));
        Map<String, Object> generated = parse(output("serve", "--print-config", hello()));
        assertEquals(withoutPlace(written), withoutPlace(generated));
    }

    @Test
    void handWrittenServes() throws IOException {
        String text = Files.readString(Project.ROOT.resolve("config/envoy.yaml"));
        try (ServerProcess server =
                ServerLaunch.envoyText(Project.ENVOY, text, hello()).connectable()) {
            assertEquals("Hello, World!", server.get("/").text());
            try (Http2Socket socket = new Http2Socket(server.port)) {
                assertEquals("Hello, World!", socket.answer(socket.get("/")).text());
            }
            assertEquals(0, server.stop(), server::tail);
        }
    }

    @Test
    void ceilingOfTheBenchmarkHasTheSameConnectionSettings() throws IOException {
        Path ceiling = Project.ROOT.resolve("bench/scenarios/direct_response.yaml");
        assertEquals(
                connectionSettings(parse(output("serve", "--print-config", hello()))),
                connectionSettings(parse(Files.readString(ceiling))));
    }

    @Test
    void optionsReachTheFilter() {
        String yaml = output("serve", "--print-config", "--max-requests", "7", "--window-bytes", "64KiB", hello());
        Map<String, Object> settings = filterSettings(parse(yaml));
        assertEquals("7", settings.get("max_requests").toString());
        assertEquals(hello(), settings.get("rackup"));
    }

    @Test
    void configIsPrintedAndValidated() {
        assertTrue(output("config", hello()).contains("max_requests"));
        try (ServerProcess bad =
                ServerLaunch.command("config", "--max-requests", "0", hello()).started()) {
            assertNotEquals(0, bad.exitStatus());
            assertFalse(bad.linesWith("max-requests").isEmpty(), bad::tail);
        }
    }

    private static String hello() {
        return Project.fixture("hello").toString();
    }

    private static String output(String... words) {
        try (ServerProcess command = ServerLaunch.command(words).started()) {
            assertEquals(0, command.exitStatus(), command::tail);
            return command.out();
        }
    }

    private static Map<String, Object> parse(String yaml) {
        return map(new Yaml().load(yaml));
    }

    /** Leaves out what differs from server to server: places, ports and the rackup. */
    private static Map<String, Object> withoutPlace(Map<String, Object> config) {
        config.remove("admin");
        Map<String, Object> bootstrap = only(config, "bootstrap_extensions");
        map(at(bootstrap, "typed_config", "extension_config")).remove("value");
        listener(config).remove("address");
        map(at(only(connectionManager(config), "http_filters"), "typed_config", "filter_config"))
                .remove("value");
        return config;
    }

    private static Map<String, Object> connectionSettings(Map<String, Object> config) {
        Map<String, Object> settings = new TreeMap<>(connectionManager(config));
        settings.remove("route_config");
        settings.remove("http_filters");
        Map<String, Object> listener = new TreeMap<>(listener(config));
        listener.remove("address");
        listener.remove("filter_chains");
        return Map.of("manager", settings, "listener", listener, "overload", config.get("overload_manager"));
    }

    private static Map<String, Object> filterSettings(Map<String, Object> config) {
        return map(at(only(connectionManager(config), "http_filters"), "typed_config", "filter_config", "value"));
    }

    private static Map<String, Object> listener(Map<String, Object> config) {
        return only(map(config.get("static_resources")), "listeners");
    }

    private static Map<String, Object> connectionManager(Map<String, Object> config) {
        return map(only(only(listener(config), "filter_chains"), "filters").get("typed_config"));
    }

    private static Map<String, Object> only(Map<String, Object> parent, String key) {
        List<?> list = (List<?>) parent.get(key);
        assertEquals(1, list.size(), key);
        return map(list.get(0));
    }

    private static Object at(Map<String, Object> from, String... keys) {
        Object value = from;
        for (String key : keys) {
            value = map(value).get(key);
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}
