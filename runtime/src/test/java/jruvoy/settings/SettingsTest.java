// SPDX-License-Identifier: Apache-2.0
package jruvoy.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Java reads what C says is in effect. */
class SettingsTest {
    private static final String LEAST =
            "\"rackup\":\"/app/config.ru\",\"app_root\":\"/app\",\"max_requests\":1024,\"owners\":2,\"stall_limit_ms\":1000,"
                    + "\"mode\":\"fibers\",\"threads\":16,"
                    + "\"window_bytes\":262144,\"max_buffered_bytes\":67108864,\"drain_timeout_ms\":30000";

    @Test
    void readsTheLeast() {
        Settings settings = Settings.parse("{" + LEAST + "}");
        assertEquals("/app/config.ru", settings.rackup());
        assertEquals("/app", settings.appRoot());
        assertEquals(2, settings.owners());
        assertEquals(Duration.ofSeconds(1), settings.stallLimit());
        assertEquals("fibers", settings.mode());
        assertEquals(16, settings.threads());
        assertEquals(262144, settings.windowBytes());
        assertEquals(30000, settings.drainTimeoutMs());
        assertEquals(List.of(), settings.gemPath());
        assertEquals(Map.of(), settings.env());
        assertNull(settings.gemfile());
    }

    @Test
    void readsAll() {
        Settings settings = Settings.parse("{" + LEAST
                + ",\"gemfile\":\"/app/Gemfile\",\"gem_path\":[\"/a\",\"/b\"],\"env\":{\"A\":\"1\",\"B\":\"\"}}");
        assertEquals("/app/Gemfile", settings.gemfile());
        assertEquals(List.of("/a", "/b"), settings.gemPath());
        assertEquals(Map.of("A", "1", "B", ""), settings.env());
    }
}
