// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A started server: its output, its end, its processes. Never touches a process that it did not start. Thread: any. */
final class ServerProcess implements AutoCloseable {
    /** Where it listens, on 127.0.0.1. */
    final int port;

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(ServerProcess::end), "end of servers under test"));
    }

    private final ServerLaunch launch;
    private final Process process;

    ServerProcess(ServerLaunch launch, Process process) {
        RUNNING.add(process);
        this.launch = launch;
        this.process = process;
        this.port = launch.port;
    }

    /** Waits for the ready line; fails with the end of the log if the server ends first. */
    void awaitReady() {
        awaitUnlessEnded(
                "the ready line", () -> out().contains("jruvoy: listening on http://127.0.0.1:" + port + "\n"));
    }

    /** Waits until a connection is taken. */
    void awaitConnectable() {
        awaitUnlessEnded("a taken connection", this::takesConnections);
    }

    /** Waits until the output, either stream, holds a text. */
    void awaitLog(String text) {
        Eventually.holds("output with " + text, () -> log().contains(text));
    }

    /** Whether a connection is taken now. */
    boolean takesConnections() {
        try (Http1Socket socket = new Http1Socket(port)) {
            return socket.isOpen();
        } catch (UncheckedIOException refused) {
            return false;
        }
    }

    /** Sends SIGTERM and returns at once. */
    void terminate() {
        process.destroy();
    }

    /** Sends a signal by its name, such as INT. */
    void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end and returns the exit status (128 + n when signal n ended it). */
    int exitStatus() {
        try {
            if (!process.waitFor(Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("still running: " + tail());
            }
            return process.exitValue();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupt);
        }
    }

    /** Sends SIGTERM, waits for the end and returns the exit status. */
    int stop() {
        terminate();
        return exitStatus();
    }

    /** Whether it runs. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has written to standard output so far. */
    String out() {
        return read("stdout");
    }

    /** What it has written to standard error so far. */
    String err() {
        return read("stderr");
    }

    /** Both outputs. */
    String log() {
        return out() + err();
    }

    /** The lines of both outputs that hold all of these texts. */
    List<String> linesWith(String... texts) {
        return log().lines()
                .filter(line -> Stream.of(texts).allMatch(line::contains))
                .toList();
    }

    /** A simple GET on a connection of its own. */
    HttpAnswer get(String path) {
        try (Http1Socket socket = new Http1Socket(port)) {
            return socket.get(path).answer();
        }
    }

    /** The journal of a key in the fixture, as lines. */
    List<String> journal(String key) {
        return get("/journal/" + key).text().lines().toList();
    }

    /** The counter of a key in the fixture. */
    long count(String key) {
        return Long.parseLong(get("/count/" + key).text());
    }

    /** Opens a gate of the fixture. */
    void open(String key) {
        get("/open/" + key);
    }

    /** Resident memory in MiB. */
    long residentMib() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** The end of the log, for failures. */
    String tail() {
        List<String> lines = log().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    /** Ends whatever is left of it, and removes its folder. */
    @Override
    public void close() {
        end(process);
        RUNNING.remove(process);
        removeFolder();
    }

    private static void end(Process process) {
        List<ProcessHandle> left = new ArrayList<>(process.descendants().toList());
        left.add(process.toHandle());
        left.forEach(ProcessHandle::destroyForcibly);
        try {
            process.waitFor();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    private void removeFolder() {
        try (Stream<Path> paths = Files.walk(launch.folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private void awaitUnlessEnded(String what, Callable<Boolean> condition) {
        Eventually.holds(what, () -> {
            if (!process.isAlive()) {
                throw new AssertionError("ended with " + process.exitValue() + " before " + what + ":\n" + tail());
            }
            return condition.call();
        });
    }

    private String read(String name) {
        try {
            return new String(Files.readAllBytes(launch.folder.resolve(name)), StandardCharsets.UTF_8);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }
}
