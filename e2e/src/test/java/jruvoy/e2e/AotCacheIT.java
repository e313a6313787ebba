// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The AOT cache that set-up has made is used; one that is of no use costs a line in the log and nothing else. */
class AotCacheIT {
    private enum Damage {
        TRUNCATED,
        OVERWRITTEN,
        EMPTY,
        MISSING
    }

    @Test
    void installedCacheIsUsed() {
        assumeTrue(Files.exists(cache(Project.home())), "set-up has made no cache");
        try (ServerProcess server =
                ServerLaunch.serve("hello", "--jvm-option=-Xlog:aot").ready()) {
            assertFalse(server.linesWith("Using AOT-linked classes: true").isEmpty(), server::tail);
            assertServes(server, 0);
        }
    }

    @Test
    void optionThatDoesNotGoWithItCostsOneLine() {
        assumeTrue(Files.exists(cache(Project.home())), "set-up has made no cache");
        try (ServerProcess server = ServerLaunch.serve("hello", "--jvm-option=-XX:-UseCompressedOops")
                .ready()) {
            assertServes(server, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void cacheOfNoUseIsLeftAlone(Damage damage, @TempDir Path home) throws IOException {
        Files.copy(Project.home().resolve("libjruvoy.so"), home.resolve("libjruvoy.so"));
        for (String name : List.of("jars", "ruby", "gems", "jvm.options", "libjansson.so.4")) {
            Files.createSymbolicLink(
                    home.resolve(name), Project.home().resolve(name).toRealPath());
        }
        damage(cache(home), damage);
        EnvoyConfig config = EnvoyConfig.full(Project.fixture("hello"));
        try (ServerProcess server = ServerLaunch.envoy(Project.ENVOY, config)
                .environment("ENVOY_DYNAMIC_MODULES_SEARCH_PATH", home.toString())
                .ready()) {
            assertServes(server, damage == Damage.MISSING ? 0 : 1);
        }
    }

    private static void damage(Path cache, Damage damage) throws IOException {
        byte[] bytes = Files.exists(cache(Project.home()))
                ? Files.readAllBytes(cache(Project.home()))
                : "no cache at all".getBytes(StandardCharsets.UTF_8);
        switch (damage) {
            case TRUNCATED -> Files.write(cache, Arrays.copyOf(bytes, bytes.length / 2));
            case OVERWRITTEN -> {
                Arrays.fill(bytes, 0, Math.min(bytes.length, 4096), (byte) '?');
                Files.write(cache, bytes);
            }
            case EMPTY -> Files.createFile(cache);
            default -> {}
        }
    }

    private static void assertServes(ServerProcess server, int lines) {
        assertEquals(200, server.get("/").status());
        assertEquals(lines, server.linesWith("does not take the AOT cache").size(), server::tail);
        assertEquals(0, server.linesWith("[error").size(), server::tail);
        assertEquals(0, server.stop(), server::tail);
    }

    private static Path cache(Path home) {
        return home.resolve("jruvoy.aot");
    }
}
