// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;

/** A server about to be started: its command, ports and environment. Thread: the test's. */
final class ServerLaunch {
    /** Where it listens, on 127.0.0.1. */
    final int port;

    /** Where its admin page is. */
    final int adminPort;

    /** A folder of this server alone: working directory and output. */
    final Path folder;

    private final List<String> command = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();

    private ServerLaunch(int port) {
        this.port = port;
        this.adminPort = freePort();
        this.folder = newFolder();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("JRUVOY_SETUP", "never");
    }

    /** {@code bin/jruvoy serve} of a fixture on a free port, with more options. */
    static ServerLaunch serve(String fixture, String... options) {
        return serve(Project.fixture(fixture), freePort(), options);
    }

    /** {@code bin/jruvoy serve} of any rackup on a given port. */
    static ServerLaunch serve(Path rackup, int port, String... options) {
        ServerLaunch launch = new ServerLaunch(port);
        launch.command.addAll(List.of(Project.command().toString(), "serve", "-p", Integer.toString(port)));
        launch.command.addAll(List.of("--admin-port", Integer.toString(launch.adminPort)));
        launch.command.addAll(Arrays.asList(options));
        launch.command.add(rackup.toString());
        return launch;
    }

    /** An Envoy of some version with a config of ours. */
    static ServerLaunch envoy(String version, EnvoyConfig config, String... options) {
        ServerLaunch launch = new ServerLaunch(freePort());
        launch.becomeEnvoy(version, config.yaml(launch.port, launch.adminPort), options);
        return launch;
    }

    /** An Envoy with the text of a config file, whose ports and rackup are replaced. */
    static ServerLaunch envoyText(String version, String yaml, String rackup) {
        ServerLaunch launch = new ServerLaunch(freePort());
        String placed = yaml.replaceFirst("port_value: 8080", "port_value: " + launch.port)
                .replaceFirst("port_value: 9901", "port_value: " + freePort())
                .replaceAll("(?m)(rackup: )[^ }]+", "$1" + Matcher.quoteReplacement(rackup));
        launch.becomeEnvoy(version, placed);
        return launch;
    }

    /** Any command of the project, such as {@code bin/jruvoy config}. */
    static ServerLaunch command(String... words) {
        ServerLaunch launch = new ServerLaunch(freePort());
        launch.command.add(Project.command().toString());
        launch.command.addAll(Arrays.asList(words));
        return launch;
    }

    /** Sets an environment variable of the server; null removes it. */
    ServerLaunch environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Starts it and waits until it says that it listens. */
    ServerProcess ready() {
        return startedUntil(ServerProcess::awaitReady);
    }

    /** Starts it and waits until a connection is taken; for configs that print no ready line. */
    ServerProcess connectable() {
        return startedUntil(ServerProcess::awaitConnectable);
    }

    private ServerProcess startedUntil(Consumer<ServerProcess> wait) {
        ServerProcess server = started();
        try {
            wait.accept(server);
            return server;
        } catch (RuntimeException | AssertionError failure) {
            server.close();
            throw failure;
        }
    }

    /** Starts it and waits for nothing. */
    ServerProcess started() {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(folder.resolve("stdout").toFile())
                .redirectError(folder.resolve("stderr").toFile());
        environment.forEach((name, value) -> {
            if (value == null) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        try {
            return new ServerProcess(this, builder.start());
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private void becomeEnvoy(String version, String yaml, String... options) {
        Path file = folder.resolve("envoy.yaml");
        try {
            Files.writeString(file, yaml);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        command.addAll(List.of(Project.envoy(version).toString(), "-c", file.toString()));
        command.addAll(List.of("--concurrency", "1", "--disable-hot-restart"));
        command.addAll(Arrays.asList(options));
        environment.put("ENVOY_DYNAMIC_MODULES_SEARCH_PATH", Project.home().toString());
    }

    /** A port that nobody listens on at this moment. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("jruvoy-e2e-");
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }
}
