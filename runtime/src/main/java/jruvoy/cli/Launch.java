// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command that {@code bin/jruvoy} becomes: Envoy with its environment, as a shell script. */
final class Launch {
    private Launch() {}

    /**
     * Envoy's arguments: ours, then the user's; one that the user gives too is left out, since Envoy refuses doubles.
     *
     * @param config the configuration file
     * @param concurrency worker threads
     * @param logLevel level of Jruvoy and the app
     * @param extra what stands after {@code --}
     */
    static List<String> arguments(Path config, int concurrency, String logLevel, List<String> extra) {
        List<String> all = new ArrayList<>();
        if (!given(extra, "--config-path", "-c")) {
            all.addAll(List.of("--config-path", config.toString()));
        }
        if (!given(extra, "--concurrency", "--concurrency")) {
            all.addAll(List.of("--concurrency", Integer.toString(concurrency)));
        }
        if (!given(extra, "--log-level", "-l")) {
            // Envoy itself is chatty at info: of the whole start nothing is for the person who serves an app.
            all.addAll(List.of("--log-level", logLevel.equals("info") ? "warn" : logLevel));
        }
        if (!given(extra, "--component-log-level", "--component-log-level")) {
            // misc warns of young configuration fields, chosen on purpose; main of the signal that ends the server.
            all.addAll(List.of("--component-log-level", "misc:error,main:error,dynamic_modules:" + logLevel));
        }
        if (!given(extra, "--log-format", "--log-format")) {
            all.addAll(List.of("--log-format", "[%Y-%m-%d %T.%e][%l] %v"));
        }
        if (!given(extra, "--disable-hot-restart", "--base-id")) {
            all.add("--disable-hot-restart");
        }
        all.addAll(extra);
        return all;
    }

    /**
     * The script.
     *
     * @param envoy the binary
     * @param home Jruvoy's home, where the module lies
     * @param javaHome the JDK
     * @param arguments of Envoy
     */
    static String script(String envoy, String home, String javaHome, List<String> arguments) {
        return "#!/bin/sh\n"
                + "export ENVOY_DYNAMIC_MODULES_SEARCH_PATH=" + quote(home) + "\n"
                + "export JAVA_HOME=" + quote(javaHome) + "\n"
                + "exec " + quote(envoy) + " "
                + arguments.stream().map(Launch::quote).collect(Collectors.joining(" ")) + "\n";
    }

    private static boolean given(List<String> extra, String option, String other) {
        return extra.stream()
                .anyMatch(word -> word.equals(option) || word.equals(other) || word.startsWith(option + "="));
    }

    private static String quote(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
