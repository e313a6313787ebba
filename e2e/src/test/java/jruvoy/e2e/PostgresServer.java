// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PostgreSQL server of its own, run by examples/notes/postgres on a free port. Thread: one at a time. */
final class PostgresServer implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final Path folder;
    private final Process process;

    /** The {@code DATABASE_URL} that it printed. */
    final String url;

    /** Whether this machine has what is needed: Debian's package postgresql. */
    static boolean isInstalled() {
        return Files.isDirectory(INSTALLED);
    }

    /** Starts it with an empty database. */
    PostgresServer() {
        try {
            // PostgreSQL's own user must get in.
            folder = Files.createTempDirectory(
                    "jruvoy-postgres-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            process = new ProcessBuilder(
                            Project.ROOT.resolve("examples/notes/postgres").toString(),
                            "-p",
                            Integer.toString(ServerLaunch.freePort()),
                            folder.resolve("data").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        try {
            url = Eventually.value("PostgreSQL's address", this::printedUrl, printed -> !printed.isEmpty());
        } catch (RuntimeException | AssertionError failure) {
            close();
            throw failure;
        }
    }

    /** Stops it and removes its data. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("PostgreSQL still runs");
            }
            if (process.exitValue() != 0) {
                throw new AssertionError("PostgreSQL ended with " + process.exitValue() + ": " + output());
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        } finally {
            removeFolder();
        }
    }

    private String printedUrl() {
        if (!process.isAlive()) {
            throw new AssertionError("PostgreSQL ended with " + process.exitValue() + ": " + output());
        }
        return output().lines()
                .filter(line -> line.startsWith("DATABASE_URL="))
                .map(line -> line.substring("DATABASE_URL=".length()))
                .findFirst()
                .orElse("");
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output"));
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private void removeFolder() {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }
}
