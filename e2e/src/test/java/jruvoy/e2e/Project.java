// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.nio.file.Files;
import java.nio.file.Path;

/** The tree under test: where its command, module, fixtures and Envoys are. Thread: any. */
final class Project {
    /** The root of the repository. */
    static final Path ROOT = findRoot();

    /** The version of Envoy that is served with. */
    static final String ENVOY = "1.40.0";

    private Project() {}

    /** The command a user runs. */
    static Path command() {
        return ROOT.resolve("bin/jruvoy");
    }

    /** The folder that has the shape of an installed Jruvoy. */
    static Path home() {
        return ROOT.resolve("build/home");
    }

    /** A rackup of ruby/fixtures by its name without suffix. */
    static Path fixture(String name) {
        return ROOT.resolve("ruby/fixtures").resolve(name + ".ru");
    }

    /** The Envoy of one version. */
    static Path envoy(String version) {
        return ROOT.resolve("build/tools/envoy-" + version + "/envoy");
    }

    private static Path findRoot() {
        String given = System.getProperty("jruvoy.root");
        Path place = Path.of(given == null ? "" : given).toAbsolutePath();
        while (place != null && !Files.exists(place.resolve("config/settings.json"))) {
            place = place.getParent();
        }
        if (place == null) {
            throw new IllegalStateException(
                    "not inside the project: " + Path.of("").toAbsolutePath());
        }
        return place;
    }
}
