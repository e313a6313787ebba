// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What serve and config have in common, beside the options made from the settings definition. */
final class ServerOptions {
    static final List<String> LOG_LEVELS = List.of("trace", "debug", "info", "warn", "error", "critical", "off");

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port to listen on; 0 takes a free one. Default: 8080.")
    private String port;

    @Option(
            names = {"-a", "--address"},
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on. Default: 127.0.0.1; 0.0.0.0 or :: for all.")
    private String address;

    @Option(
            names = "--admin-port",
            paramLabel = "PORT",
            description = "Port of Envoy's admin page on 127.0.0.1. Default: only a socket in the run folder.")
    private String adminPort;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "1",
            description = "Envoy's worker threads. Default: 1.")
    private String concurrency;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "info",
            description = "Of Jruvoy and the app: trace, debug, info, warn, error, critical or off. Default: info.")
    private String logLevel;

    @Option(
            names = "--jvm-option",
            paramLabel = "OPTION",
            description = "Option for the JVM, after Jruvoy's own; may be repeated.")
    private List<String> jvmOptions = new ArrayList<>();

    @Parameters(arity = "0..1", paramLabel = "config.ru", description = "The rackup to serve. Default: ./config.ru.")
    private String rackup;

    int port() {
        return number("--port", port, 0, 65_535);
    }

    /** 0 when the admin page has no port. */
    int adminPort() {
        return adminPort == null ? 0 : number("--admin-port", adminPort, 1, 65_535);
    }

    int concurrency() {
        return number("--concurrency", concurrency, 1, 1_024);
    }

    String address() {
        return address;
    }

    List<String> jvmOptions() {
        return jvmOptions;
    }

    /** The positional argument, or null. */
    String rackup() {
        return rackup;
    }

    String logLevel() {
        String level = logLevel.toLowerCase(Locale.ROOT).replace("warning", "warn");
        if (!LOG_LEVELS.contains(level)) {
            throw CliException.usage("--log-level: '" + logLevel + "' is not one of " + String.join(", ", LOG_LEVELS));
        }
        return level;
    }

    private static int number(String option, String text, int min, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // The line below says it.
        }
        throw CliException.usage(option + ": '" + text + "' is not a number from " + min + " to " + max);
    }
}
