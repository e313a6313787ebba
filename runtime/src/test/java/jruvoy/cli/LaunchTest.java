// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The command line of Envoy. */
class LaunchTest {
    private static final Path CONFIG = Path.of("/run/envoy.yaml");

    @Test
    void envoyIsQuieterThanTheApp() {
        List<String> all = Launch.arguments(CONFIG, 1, "info", List.of());
        assertEquals("warn", all.get(all.indexOf("--log-level") + 1));
        assertTrue(all.contains("misc:error,main:error,dynamic_modules:info"));
        assertTrue(all.contains("--disable-hot-restart"));
    }

    @Test
    void theUsersArgumentReplacesOurs() {
        List<String> all = Launch.arguments(CONFIG, 1, "info", List.of("-l", "trace", "--concurrency=3"));
        assertFalse(all.contains("--log-level"));
        assertFalse(all.contains("--concurrency"));
        assertEquals(List.of("-l", "trace", "--concurrency=3"), all.subList(all.size() - 3, all.size()));
    }

    @Test
    void theScriptKeepsEveryCharacter() throws IOException, InterruptedException {
        String odd = "a 'b' $c \"d\" \\ `e`";
        String script = Launch.script("/usr/bin/printf", "/home's", "/jdk", List.of("%s|%s", odd, "f"));
        Process process = new ProcessBuilder("/bin/sh", "-c", script).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        assertEquals(odd + "|f", printed);
    }
}
