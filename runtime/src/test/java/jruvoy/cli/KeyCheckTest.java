// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Notation and limits of the options that are made from the settings definition. */
class KeyCheckTest {
    private static Key key(String name) {
        return KeyDefinitions.filter().stream()
                .filter(key -> key.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String refusal(String name, String text) {
        CliException e = assertThrows(CliException.class, () -> KeyCheck.value(key(name), text));
        assertEquals(Main.STATUS_USAGE, e.status());
        return e.getMessage();
    }

    @Test
    void integersBecomeNumbers() {
        assertEquals(8L, KeyCheck.value(key("max_requests"), "8"));
    }

    @Test
    void autoIsAWordWhereTheDefinitionCounts() {
        assertEquals("auto", KeyCheck.value(key("owners"), "auto"));
        assertEquals("--owners: 'all' is not a whole number or auto", refusal("owners", "all"));
        assertEquals("--max-requests: 'auto' is not a whole number", refusal("max_requests", "auto"));
    }

    @Test
    void sizesAndDurationsStayText() {
        assertEquals("64KiB", KeyCheck.value(key("window_bytes"), "64KiB"));
        assertEquals("250ms", KeyCheck.value(key("drain_timeout"), "250ms"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8x", "-1", "1.5", " 8", "99999999999999999999"})
    void numbersAreDigits(String text) {
        assertTrue(refusal("max_requests", text).startsWith("--max-requests: '" + text + "' is not a whole number"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"30", "30 s", "s", "1d"})
    void durationsNeedAUnit(String text) {
        assertTrue(refusal("drain_timeout", text).contains("is not a duration like"));
    }

    @Test
    void choicesAreNamed() {
        assertEquals("threads", KeyCheck.value(key("mode"), "threads"));
        assertEquals("--mode: 'thread' is not fibers or threads", refusal("mode", "thread"));
    }

    @Test
    void limitsAreSaid() {
        assertEquals("--max-requests: 0 is not within 1 and 1000000", refusal("max_requests", "0"));
        assertEquals("--window-bytes: 1GiB is not within 4KiB and 64MiB", refusal("window_bytes", "1GiB"));
    }

    @Test
    void defaultsOfTheDefinitionPass() {
        for (Key key : KeyDefinitions.filter()) {
            if (key.fallback() != null) {
                KeyCheck.value(key, key.fallback());
            }
        }
    }
}
