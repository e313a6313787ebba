// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

/**
 * One key of the settings definition ({@code config/settings.json}).
 *
 * @param name as in Envoy's configuration, with underscores
 * @param type {@code integer}, {@code size}, {@code duration}, {@code path}, {@code string}, {@code strings} or {@code map}
 * @param fallback the default as written there, or null
 * @param min the smallest value allowed, or null
 * @param max the largest value allowed, or null
 * @param counted whether the word {@code auto} is a value, too: the module counts then
 * @param text one or two sentences for people
 */
record Key(String name, String type, String fallback, String min, String max, boolean counted, String text) {
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
            default -> "VALUE";
        };
    }
}
