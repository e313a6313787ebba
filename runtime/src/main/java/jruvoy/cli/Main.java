// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry of the command line; {@code bin/jruvoy} calls it. */
public final class Main {
    static final int STATUS_OK = 0;
    static final int STATUS_FAILURE = 1;
    static final int STATUS_USAGE = 2;
    /** Tells {@code bin/jruvoy} to become what the run folder's {@code launch} says. */
    static final int STATUS_LAUNCH = 88;

    private Main() {}

    /** Runs one command and ends the process with its status. */
    public static void main(String[] arguments) {
        System.exit(run(Place.ofSystemProperties(), arguments));
    }

    static int run(Place place, String... arguments) {
        List<String> words = Arrays.asList(arguments);
        int end = words.indexOf("--");
        List<String> own = end < 0 ? words : words.subList(0, end);
        List<String> envoyOptions = end < 0 ? List.of() : words.subList(end + 1, words.size());
        String name = own.isEmpty() ? "" : own.getFirst();
        KeyedCommand command = switch (name) {
            case "serve" -> new ServeCommand(place, envoyOptions);
            case "config" -> new ConfigCommand(place);
            default -> null;
        };
        if (command == null) {
            return complain(STATUS_USAGE, "unknown command '" + name + "'; see jruvoy help");
        }
        CommandLine line = new CommandLine(command);
        command.keys(KeyOptions.addTo(line.getCommandSpec()));
        line.setUsageHelpWidth(100);
        line.setParameterExceptionHandler((e, rest) -> complain(STATUS_USAGE, oneLine(name, e)));
        line.setExecutionExceptionHandler((e, commandLine, result) -> failed(e));
        return line.execute(own.subList(1, own.size()).toArray(String[]::new));
    }

    private static int failed(Exception e) throws Exception {
        if (e instanceof CliException known) {
            return complain(known.status(), known.getMessage());
        }
        throw e;
    }

    private static String oneLine(String name, ParameterException e) {
        String hint = " (see jruvoy " + name + " --help)";
        if (e instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            if (!unmatched.isUnknownOption()) {
                return "one argument too many: '" + word + "'" + hint;
            }
            List<String> close = unmatched.getSuggestions();
            return "unknown option '" + word + "'"
                    + (close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?") + hint;
        }
        return e.getMessage().lines().findFirst().orElse("wrong arguments") + hint;
    }

    private static int complain(int status, String message) {
        System.err.println("jruvoy: " + message);
        return status;
    }
}
