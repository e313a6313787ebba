// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The generated configuration against the hand-written one. */
class EnvoyConfigTest {
    private static Map<String, Object> generated(String address, int concurrency) {
        return EnvoyConfig.of(new EnvoyConfig.Server(
                address,
                8080,
                EnvoyConfig.socketAddress("127.0.0.1", 9901),
                concurrency,
                Map.of("rackup", "config.ru"),
                Map.of("listening_url", "http://127.0.0.1:8080")));
    }

    @Test
    void handWrittenConfigurationIsTheSame() throws IOException {
        Path file = Path.of(System.getProperty("jruvoy.root"), "config", "envoy.yaml");
        Object written = new Yaml().load(Files.readString(file));
        assertEquals(written, generated("127.0.0.1", 1));
    }

    @Test
    void dumpedYamlReadsBackEqual() {
        Map<String, Object> config = generated("127.0.0.1", 1);
        assertEquals(config, new Yaml().load(EnvoyConfig.yaml(config)));
    }

    @Test
    void severalWorkersShareThePort() {
        assertTrue(EnvoyConfig.yaml(generated("127.0.0.1", 2)).contains("enable_reuse_port: true"));
    }

    @Test
    void allAddressesOfSixMeansFourToo() {
        assertTrue(EnvoyConfig.yaml(generated("::", 1)).contains("ipv4_compat: true"));
        assertFalse(EnvoyConfig.yaml(generated("::1", 1)).contains("ipv4_compat"));
    }
}
