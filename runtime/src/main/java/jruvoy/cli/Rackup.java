// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Finds the rackup and makes the paths of the filter's configuration absolute, by the module's own rules. */
final class Rackup {
    private Rackup() {}

    /**
     * Puts the rackup into the filter's configuration.
     *
     * @param filter the keys that were given; changed in place
     * @param positional the command line's argument, or null
     */
    static void resolve(Map<String, Object> filter, String positional) {
        if (positional != null && filter.containsKey("rackup")) {
            throw CliException.usage("the rackup is given twice: --rackup and '" + positional + "'");
        }
        Path base = Path.of("").toAbsolutePath();
        if (filter.get("app_root") instanceof String root) {
            base = base.resolve(root).normalize();
            filter.put("app_root", base.toString());
        }
        Object given = filter.getOrDefault("rackup", positional == null ? "config.ru" : positional);
        Path rackup = base.resolve(given.toString()).normalize();
        require(rackup, given.toString());
        filter.put("rackup", rackup.toString());
        if (filter.get("gemfile") instanceof String gemfile) {
            Path path = base.resolve(gemfile).normalize();
            require(path, gemfile);
            filter.put("gemfile", path.toString());
        }
        if (filter.get("gem_path") instanceof List<?> folders) {
            Path from = base;
            filter.put(
                    "gem_path",
                    folders.stream()
                            .map(folder -> gemFolder(from, folder.toString()))
                            .toList());
        }
    }

    private static String gemFolder(Path base, String given) {
        Path path = base.resolve(given).normalize();
        if (!Files.isDirectory(path)) {
            throw CliException.failure("--gem-path: " + given + " is not a folder (" + path + ")");
        }
        return path.toString();
    }

    private static void require(Path path, String given) {
        if (!Files.exists(path)) {
            throw CliException.failure("cannot read " + given + ": no such file (" + path + ")");
        }
        if (Files.isDirectory(path)) {
            throw CliException.failure("cannot read " + given + ": it is a folder");
        }
        if (!Files.isReadable(path)) {
            throw CliException.failure("cannot read " + given + ": permission denied");
        }
    }
}
