// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the effective settings, or has Envoy and the module check them (or a configuration of one's own). */
@Command(
        name = "config",
        sortOptions = false,
        header = "Prints the effective settings, or validates them.",
        customSynopsis = {
            "jruvoy config [OPTIONS of serve] [config.ru]",
            "jruvoy config --validate [OPTIONS of serve] [config.ru]",
            "jruvoy config --validate --file envoy.yaml"
        })
final class ConfigCommand implements Callable<Integer>, KeyedCommand {
    private final Place place;
    private KeyOptions keys;

    @Mixin
    private ServerOptions options;

    @Option(
            names = "--validate",
            description = "Lets Envoy load the configuration without serving; status 1 if it is bad.")
    private boolean validate;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "An Envoy configuration of your own to validate.")
    private Path file;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this.")
    private boolean help;

    ConfigCommand(Place place) {
        this.place = place;
    }

    @Override
    public void keys(KeyOptions keys) {
        this.keys = keys;
    }

    @Override
    public Integer call() {
        if (file != null && !validate) {
            throw CliException.usage("--file goes with --validate");
        }
        if (!validate) {
            print();
            return Main.STATUS_OK;
        }
        return file == null ? validateOwn() : validate(file);
    }

    private void print() {
        Map<String, Object> given = keys.given();
        Rackup.resolve(given, options.rackup());
        for (Key key : keys.keys()) {
            Object value = given.get(key.name());
            String origin = value != null ? "given" : key.fallback() != null ? "default" : "not set";
            Object shown = value != null ? value : key.fallback() != null ? key.fallback() : "";
            System.out.printf("%-20s %-40s # %s%n", key.name() + ":", shown, origin);
        }
    }

    private int validateOwn() {
        ServerPlan plan = ServerPlan.make(options, keys);
        try {
            Path own = Files.createTempFile("jruvoy", ".yaml");
            try {
                Files.writeString(own, EnvoyConfig.yaml(plan.config()));
                return validate(own);
            } finally {
                Files.delete(own);
            }
        } catch (IOException e) {
            throw CliException.failure("cannot write a configuration to validate: " + e.getMessage());
        }
    }

    private int validate(Path path) {
        ProcessBuilder builder = new ProcessBuilder(
                place.envoy(),
                "--mode",
                "validate",
                "--disable-hot-restart",
                "--log-level",
                "error",
                "--log-format",
                "%v",
                "--config-path",
                path.toString());
        builder.environment().put("ENVOY_DYNAMIC_MODULES_SEARCH_PATH", place.home());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.redirectErrorStream(true);
        List<String> lines = new ArrayList<>();
        try {
            Process process = builder.start();
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                reader.lines().filter(line -> !line.isBlank()).forEach(lines::add);
            }
            if (process.waitFor() == 0) {
                System.out.println("jruvoy: the configuration is good");
                return Main.STATUS_OK;
            }
        } catch (IOException e) {
            throw CliException.failure("cannot run " + place.envoy() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CliException.failure("interrupted");
        }
        throw CliException.failure(reason(lines));
    }

    /** The module's own line if there is one: Envoy's says only that something failed. */
    private static String reason(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("jruvoy: "))
                .map(line -> line.substring("jruvoy: ".length()))
                .findFirst()
                .orElse(lines.isEmpty() ? "Envoy refuses the configuration" : lines.getFirst());
    }
}
