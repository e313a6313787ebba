// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a person types them: statuses and lines. */
class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private String rackup;

    @BeforeEach
    void writeRackup() throws IOException {
        rackup = Files.writeString(folder.resolve("config.ru"), "run nil").toString();
    }

    private int run(String... words) {
        PrintStream oldOut = System.out;
        PrintStream oldErr = System.err;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            return Main.run(new Place("/home", "/envoy", 99_999_998, folder), words);
        } finally {
            System.setOut(oldOut);
            System.setErr(oldErr);
        }
    }

    private String error() {
        return err.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void serveWritesTheRunFolder() throws IOException {
        assertEquals(Main.STATUS_LAUNCH, run("serve", "-p", "0", rackup, "--", "--file-flush-min-size-kb", "1"));
        Path run = folder.resolve("jruvoy-99999998");
        String launch = Files.readString(run.resolve("launch"));
        assertTrue(launch.contains("exec '/envoy' '--config-path' '" + run.resolve("envoy.yaml") + "'"));
        assertTrue(launch.endsWith("'--file-flush-min-size-kb' '1'\n"));
        String yaml = Files.readString(run.resolve("envoy.yaml"));
        assertTrue(yaml.contains("rackup: " + rackup));
        assertTrue(yaml.contains("path: " + run.resolve("admin.sock")));
        assertEquals("", error());
    }

    @Test
    void printConfigCreatesNothing() throws IOException {
        assertEquals(Main.STATUS_OK, run("serve", "--print-config", "--max-requests", "8", rackup));
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("max_requests: 8"));
        try (var entries = Files.list(folder)) {
            assertEquals(1, entries.count());
        }
    }

    @Test
    void unknownOptionGetsAHint() {
        assertEquals(Main.STATUS_USAGE, run("serve", "--max-request", "8"));
        assertTrue(error().startsWith("jruvoy: unknown option '--max-request'; did you mean --max-requests"));
        assertEquals(1, error().lines().count());
    }

    @Test
    void missingRackupIsNamed() {
        assertEquals(Main.STATUS_FAILURE, run("serve", folder.resolve("nope.ru").toString()));
        assertTrue(error().matches("jruvoy: cannot read .*nope.ru: no such file .*"));
    }

    @Test
    void aFolderIsNoRackup() {
        assertEquals(Main.STATUS_FAILURE, run("serve", folder.toString()));
        assertTrue(error().endsWith("it is a folder"));
    }

    @Test
    void badNumbersAreUsage() {
        assertEquals(Main.STATUS_USAGE, run("serve", "-p", "70000", rackup));
        assertEquals("jruvoy: --port: '70000' is not a number from 0 to 65535", error());
    }

    @Test
    void aRelativeRackupCountsFromTheAppRoot() {
        assertEquals(Main.STATUS_OK, run("config", "--app-root", folder.toString()));
        assertTrue(out.toString(StandardCharsets.UTF_8).contains(rackup));
    }

    @Test
    void gemFoldersBecomeAbsolute() {
        assertEquals(Main.STATUS_OK, run("config", "--app-root", folder.toString(), "--gem-path", "."));
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("[" + folder + "]"));
        assertEquals(Main.STATUS_FAILURE, run("config", "--gem-path", "no-gems", rackup));
        assertTrue(error().contains("--gem-path: no-gems is not a folder (/"), error());
    }

    @Test
    void helpIsNoError() {
        assertEquals(Main.STATUS_OK, run("serve", "--help"));
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("--drain-timeout=DURATION"));
    }
}
