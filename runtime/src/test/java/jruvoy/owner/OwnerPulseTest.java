// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When looks at an owner find it held; the test is the clock. */
class OwnerPulseTest implements OwnerPulse.Source {
    private final List<Duration> stalls = new ArrayList<>();
    private final OwnerPulse pulse = new OwnerPulse(this, Duration.ofMillis(1000), stalls::add);
    private long turn;
    private boolean sleeping;
    private long millis;

    @Override
    public long turn() {
        return turn;
    }

    @Override
    public boolean isSleeping() {
        return sleeping;
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            millis += 250;
            pulse.look(millis * 1_000_000);
        }
    }

    @Test
    void aLongTurnIsToldOnce() {
        look(4);
        assertEquals(List.of(), stalls);
        look(20);
        assertEquals(List.of(Duration.ofMillis(1000)), stalls);
        turn++;
        look(5);
        assertEquals(2, stalls.size());
    }

    @Test
    void turnsAndSleepAreNoStall() {
        for (int i = 0; i < 20; i++) {
            look(3);
            turn++;
        }
        sleeping = true;
        look(20);
        sleeping = false;
        look(3);
        assertEquals(List.of(), stalls);
    }

    @Test
    void aPauseOfTheProcessIsNoStall() {
        look(2);
        millis += 60_000;
        look(1);
        assertEquals(List.of(), stalls);
    }
}
