// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that cannot start says why in one line and ends with a status that is not 0. */
class StartupErrorsIT {
    @TempDir
    private Path folder;

    @Test
    void rackupThatRaisesIsNamedWithLineAndCause() {
        String line = failsWithOneLine(1, ServerLaunch.serve("startup/raises"), "raises.ru:7");
        assertTrue(line.contains("no such thing"), line);
        assertTrue(line.contains("ArgumentError"), line);
    }

    @Test
    void rackupThatLacksALibraryIsNamed() {
        String line = failsWithOneLine(1, ServerLaunch.serve("startup/requires"), "requires.ru:6");
        assertTrue(line.contains("no_such_library_anywhere"), line);
    }

    @Test
    void rackupThatIsNotRubyIsNamedWithLine() throws IOException {
        Path rackup = folder.resolve("syntax.ru");
        Files.writeString(rackup, "# one\n\nrun ->(_env) { [200, {}, []\n");
        String line = failsWithOneLine(1, ServerLaunch.serve(rackup, ServerLaunch.freePort()), "syntax.ru:");
        assertTrue(line.toLowerCase(Locale.ROOT).contains("syntax"), line);
    }

    @Test
    void rackupWithoutAppIsNamed() {
        failsWithOneLine(1, ServerLaunch.serve("startup/norun"), "norun.ru", "run");
    }

    @Test
    void rackupThatExitsDoesNotEndWithItsStatus() {
        failsWithOneLine(1, ServerLaunch.serve("startup/exits"), "exits.ru", "SystemExit");
    }

    @Test
    void missingRackupIsNamedByTheCommand() {
        ServerLaunch launch = ServerLaunch.serve(folder.resolve("nowhere.ru"), ServerLaunch.freePort());
        failsWithOneLine(1, launch, "nowhere.ru");
    }

    @Test
    void missingRackupIsNamedByTheModule() {
        EnvoyConfig config = EnvoyConfig.full(folder.resolve("nowhere.ru"));
        failsWithOneLine(1, ServerLaunch.envoy(Project.ENVOY, config), "nowhere.ru");
    }

    @Test
    void missingJvmIsNamed() {
        EnvoyConfig config = EnvoyConfig.full(Project.fixture("hello")).bootstrap("java_home", "\"/no/java/here\"");
        failsWithOneLine(1, ServerLaunch.envoy(Project.ENVOY, config), "/no/java/here");
    }

    @Test
    void jvmOptionThatTheJvmRefusesIsNamed() {
        EnvoyConfig config = EnvoyConfig.full(Project.fixture("hello")).bootstrap("jvm_options", "[\"-Xnonsense\"]");
        try (ServerProcess server = ServerLaunch.envoy(Project.ENVOY, config).started()) {
            assertEquals(1, server.exitStatus(), server::tail);
            assertFalse(server.linesWith("-Xnonsense").isEmpty(), server::tail);
        }
    }

    @Test
    void portInUseIsNamedByTheCommand() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            ServerLaunch launch = ServerLaunch.serve(Project.fixture("hello"), other.getLocalPort());
            failsWithOneLine(1, launch, "in use", Integer.toString(other.getLocalPort()));
        }
    }

    @Test
    void unknownOptionIsAUsageError() {
        try (ServerProcess server =
                ServerLaunch.serve("hello", "--no-such-option").started()) {
            assertEquals(2, server.exitStatus(), server::tail);
            assertFalse(server.linesWith("--no-such-option").isEmpty(), server::tail);
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "no_such_key|1",
                "max_requests|0",
                "max_requests|\"many\"",
                "max_requests|1.5",
                "window_bytes|\"12 parsecs\"",
                "window_bytes|\"1KiB\"",
                "max_buffered_bytes|true",
                "drain_timeout|30",
                "drain_timeout|\"-1s\"",
                "gem_path|\"not a list\"",
                "env|[\"not\", \"a map\"]",
                "mode|\"processes\"",
                "threads|0",
                "rackup|7",
            })
    void badFilterKeyIsRefusedByItsName(String key, String value) {
        EnvoyConfig config = EnvoyConfig.full(Project.fixture("hello")).filter(key, value);
        refusedWhenValidated(config, key);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {"no_such_key|1", "jvm_options|\"-Xmx1g\"", "java_home|3", "listening_url|[1]"})
    void badBootstrapKeyIsRefusedByItsName(String key, String value) {
        EnvoyConfig config = EnvoyConfig.full(Project.fixture("hello")).bootstrap(key, value);
        refusedWhenValidated(config, key);
    }

    @Test
    void missingRackupKeyIsNamed() {
        refusedWhenValidated(EnvoyConfig.full(Project.fixture("hello")).without("rackup"), "rackup");
    }

    @Test
    void badFilterKeyEndsARealStart() {
        EnvoyConfig config = EnvoyConfig.full(Project.fixture("hello")).filter("max_requests", "-3");
        try (ServerProcess server = ServerLaunch.envoy(Project.ENVOY, config).started()) {
            assertNotEquals(0, server.exitStatus(), server::tail);
            assertFalse(server.linesWith("max_requests").isEmpty(), server::tail);
        }
    }

    @Test
    void validationNeedsNoJvm() {
        EnvoyConfig config = EnvoyConfig.full(Project.fixture("startup/slow")).bootstrap("java_home", "\"/no/java\"");
        ServerLaunch launch = ServerLaunch.envoy(Project.ENVOY, config, "--mode", "validate");
        try (ServerProcess server = launch.environment("JAVA_HOME", null).started()) {
            assertEquals(0, server.exitStatus(), server::tail);
            assertTrue(server.linesWith("rackup begins").isEmpty(), server::tail);
        }
    }

    @Test
    void listenersOpenOnlyWhenTheAppHasLoaded() {
        try (ServerProcess server = ServerLaunch.serve("startup/slow").started()) {
            server.awaitConnectable();
            assertFalse(server.linesWith("rackup ends").isEmpty(), server::tail);
            server.awaitReady();
            assertEquals("slow to load", server.get("/").text());
            assertEquals(0, server.stop(), server::tail);
        }
    }

    @Test
    void terminationWhileTheAppLoadsEndsWellAndOpensNothing() {
        try (ServerProcess server = ServerLaunch.serve("startup/slow").started()) {
            server.awaitLog("rackup begins");
            assertEquals(0, server.stop(), server::tail);
            assertFalse(server.out().contains("listening on"), server::tail);
        }
    }

    private static void refusedWhenValidated(EnvoyConfig config, String key) {
        ServerLaunch launch = ServerLaunch.envoy(Project.ENVOY, config, "--mode", "validate");
        try (ServerProcess server = launch.started()) {
            assertNotEquals(0, server.exitStatus(), server::tail);
            assertFalse(server.linesWith("jruvoy", key).isEmpty(), server::tail);
        }
    }

    private static String failsWithOneLine(int status, ServerLaunch launch, String... words) {
        try (ServerProcess server = launch.started()) {
            assertEquals(status, server.exitStatus(), server::tail);
            List<String> lines = server.linesWith(words);
            assertEquals(1, lines.size(), server::tail);
            assertTrue(lines.get(0).length() < 1_000, server::tail);
            assertTrue(server.linesWith("\tat ").isEmpty(), server::tail);
            assertFalse(server.out().contains("listening on"), server::tail);
            return lines.get(0);
        }
    }
}
