// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes what Envoy needs into the run folder; {@code bin/jruvoy} then becomes Envoy. */
@Command(
        name = "serve",
        sortOptions = false,
        header = "Serves a Rack app from inside Envoy.",
        footer = "What follows -- goes to Envoy as it is.",
        customSynopsis = "jruvoy serve [OPTIONS] [config.ru] [-- ENVOY-OPTIONS]")
final class ServeCommand implements Callable<Integer>, KeyedCommand {
    private final Place place;
    private final List<String> envoyOptions;
    private KeyOptions keys;

    @Mixin
    private ServerOptions options;

    @Option(names = "--print-config", description = "Prints Envoy's configuration and ends.")
    private boolean printConfig;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this.")
    private boolean help;

    ServeCommand(Place place, List<String> envoyOptions) {
        this.place = place;
        this.envoyOptions = envoyOptions;
    }

    @Override
    public void keys(KeyOptions keys) {
        this.keys = keys;
    }

    @Override
    public Integer call() {
        ServerPlan plan = ServerPlan.make(options, keys);
        if (printConfig) {
            System.out.print(EnvoyConfig.yaml(plan.config()));
            return Main.STATUS_OK;
        }
        Path path = RunFolder.place(place.temporary(), place.pid());
        String yaml = EnvoyConfig.yaml(plan.probed().config(path));
        List<String> arguments =
                Launch.arguments(path.resolve("envoy.yaml"), options.concurrency(), options.logLevel(), envoyOptions);
        RunFolder folder = RunFolder.create(path);
        folder.write("envoy.yaml", yaml);
        folder.write("launch", Launch.script(place.envoy(), place.home(), System.getProperty("java.home"), arguments));
        return Main.STATUS_LAUNCH;
    }
}
