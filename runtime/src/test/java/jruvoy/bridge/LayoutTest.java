// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Modules and jars of different builds refuse each other. */
class LayoutTest {
    @Test
    void acceptsTheSameLayout() {
        assertDoesNotThrow(() -> Layout.check(new FakeNatives()));
    }

    @Test
    void namesTheValueThatDiffers() {
        Natives other = new FakeNatives() {
            @Override
            public long jruvoy_native_layout(int index) {
                return super.jruvoy_native_layout(index) + (index == 31 ? 8 : 0);
            }
        };
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> Layout.check(other));
        assertTrue(refused.getMessage().contains("layout value 31 is 48"), refused.getMessage());
    }

    @Test
    void refusesALongerLayout() {
        Natives other = new FakeNatives() {
            @Override
            public long jruvoy_native_layout(int index) {
                return index == Layout.values().length ? 7 : super.jruvoy_native_layout(index);
            }
        };
        assertThrows(IllegalStateException.class, () -> Layout.check(other));
    }

    @Test
    void knowsEveryEndReason() {
        for (EndReason reason : EndReason.values()) {
            assertEquals(reason, EndReason.of(reason.ordinal()));
        }
        assertThrows(IllegalArgumentException.class, () -> EndReason.of(EndReason.values().length));
        assertEquals("client_gone", EndReason.CLIENT_GONE.label());
    }
}
