// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.math.BigInteger;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says on the command line what the module would say later: whether a value has the notation of its type and lies
 * within the limits. The module's check (settings.c) stays the one that counts.
 */
final class KeyCheck {
    private static final Pattern NUMBER_WITH_UNIT = Pattern.compile("([0-9]{1,18})([A-Za-z]*)");
    private static final Map<String, Long> DURATIONS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);
    private static final Map<String, Long> SIZES = Map.of("", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Long> PLAIN = Map.of("", 1L);

    private KeyCheck() {}

    /** The value as it goes into Envoy's configuration: a Long for an integer, else the text. */
    static Object value(Key key, String text) {
        Map<String, Long> units = units(key);
        if (key.counted() && text.equals("auto")) {
            return text;
        }
        if (units == null) {
            if (text.isEmpty()) {
                throw CliException.usage(key.option() + " is empty");
            }
            if (key.type().equals("choice") && !key.choices().contains(text)) {
                throw CliException.usage(
                        key.option() + ": '" + text + "' is not " + String.join(" or ", key.choices()));
            }
            return text;
        }
        BigInteger number = amount(text, units);
        if (number == null) {
            throw CliException.usage(key.option() + ": '" + text + "' is not " + notation(key));
        }
        if (outside(number, key, units)) {
            throw CliException.usage(key.option() + ": " + text + " is not within " + key.min() + " and " + key.max());
        }
        return key.type().equals("integer") ? number.longValueExact() : text;
    }

    private static Map<String, Long> units(Key key) {
        return switch (key.type()) {
            case "integer" -> PLAIN;
            case "size" -> SIZES;
            case "duration" -> DURATIONS;
            default -> null;
        };
    }

    private static String notation(Key key) {
        return switch (key.type()) {
            case "size" -> "a size like 64KiB, 16MiB or 1GiB";
            case "duration" -> "a duration like 250ms, 30s, 5m or 1h";
            default -> key.counted() ? "a whole number or auto" : "a whole number";
        };
    }

    private static BigInteger amount(String text, Map<String, Long> units) {
        Matcher matcher = NUMBER_WITH_UNIT.matcher(text);
        if (!matcher.matches() || !units.containsKey(matcher.group(2))) {
            return null;
        }
        return new BigInteger(matcher.group(1)).multiply(BigInteger.valueOf(units.get(matcher.group(2))));
    }

    private static boolean outside(BigInteger number, Key key, Map<String, Long> units) {
        return key.min() != null && number.compareTo(amount(key.min(), units)) < 0
                || key.max() != null && number.compareTo(amount(key.max(), units)) > 0;
    }
}
