// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.util.List;

/**
 * One key of the settings definition ({@code config/settings.json}).
 *
 * @param name as in Envoy's configuration, with underscores
 * @param type {@code integer}, {@code size}, {@code duration}, {@code path}, {@code string}, {@code strings}, {@code map} or {@code
 *     choice}
 * @param fallback the default as written there, or null
 * @param min the smallest value allowed, or null
 * @param max the largest value allowed, or null
 * @param counted whether the word {@code auto} is a value, too: the module counts then
 * @param choices the values of a choice, else empty
 * @param text one or two sentences for people
 */
record Key(
        String name,
        String type,
        String fallback,
        String min,
        String max,
        boolean counted,
        List<String> choices,
        String text) {
    String option() {
        return "--" + name.replace('_', '-');
    }

    boolean isRepeated() {
        return type.equals("strings") || type.equals("map");
    }

    String label() {
        return switch (type) {
            case "integer" -> "N";
            case "size" -> "SIZE";
            case "duration" -> "DURATION";
            case "path" -> "PATH";
            case "map" -> "KEY=VALUE";
            case "choice" -> String.join("|", choices);
            default -> "VALUE";
        };
    }
}
