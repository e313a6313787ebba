// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** One option per key of the settings definition, made from that definition. */
final class KeyOptions {
    private final List<Key> keys;
    private final CommandSpec spec;

    private KeyOptions(List<Key> keys, CommandSpec spec) {
        this.keys = keys;
        this.spec = spec;
    }

    /** Adds the options to a command. */
    static KeyOptions addTo(CommandSpec spec) {
        List<Key> keys = KeyDefinitions.filter();
        for (Key key : keys) {
            OptionSpec.Builder option = OptionSpec.builder(key.option())
                    .paramLabel(key.label())
                    .type(key.isRepeated() ? List.class : String.class)
                    .auxiliaryTypes(String.class)
                    .description(description(key));
            spec.addOption(option.build());
        }
        return new KeyOptions(keys, spec);
    }

    /** The keys that were given, checked, as they go into the filter's configuration; in definition order. */
    Map<String, Object> given() {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Key key : keys) {
            Object value = spec.findOption(key.option()).getValue();
            if (value != null) {
                values.put(key.name(), key.isRepeated() ? repeated(key, value) : KeyCheck.value(key, value.toString()));
            }
        }
        return values;
    }

    List<Key> keys() {
        return keys;
    }

    private static Object repeated(Key key, Object value) {
        List<String> texts = ((List<?>) value).stream().map(Object::toString).toList();
        if (key.type().equals("strings")) {
            return texts;
        }
        Map<String, Object> map = new LinkedHashMap<>();
        for (String text : texts) {
            int at = text.indexOf('=');
            if (at < 1) {
                throw CliException.usage(key.option() + ": '" + text + "' is not KEY=VALUE");
            }
            map.put(text.substring(0, at), text.substring(at + 1));
        }
        return map;
    }

    /** Percent signs would be format specifiers of picocli. */
    private static String description(Key key) {
        String text = key.text().replace("%", "%%");
        return key.fallback() == null ? text : text + " Default: " + key.fallback() + ".";
    }
}
