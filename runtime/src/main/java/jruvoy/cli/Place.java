// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.nio.file.Path;

/**
 * Where this Jruvoy is, told by {@code bin/jruvoy} in system properties.
 *
 * @param home the module, the jars and the gems
 * @param envoy Envoy's binary
 * @param pid of the shell that will become Envoy
 * @param temporary folder for run folders
 */
record Place(String home, String envoy, long pid, Path temporary) {
    static Place ofSystemProperties() {
        return new Place(
                property("jruvoy.home"),
                property("jruvoy.envoy"),
                Long.parseLong(property("jruvoy.pid")),
                Path.of(property("jruvoy.tmp")).toAbsolutePath());
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw CliException.failure("start it with bin/jruvoy (" + name + " is not set)");
        }
        return value;
    }
}
