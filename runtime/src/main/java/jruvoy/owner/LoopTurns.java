// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What an owner's loop lets others see of itself.
 *
 * <p>Thread: written by the owner, read by any.
 */
final class LoopTurns implements OwnerPulse.Source {
    private final AtomicLong turns = new AtomicLong();
    /** About to sleep or asleep. Producers read it after they have pushed. */
    private volatile boolean sleeping;

    /** A turn begins, or goes on after a sleep. */
    void begin() {
        turns.setOpaque(turns.getPlain() + 1);
    }

    void fallAsleep() {
        sleeping = true;
    }

    void wakeUp() {
        begin();
        sleeping = false;
    }

    @Override
    public long turn() {
        return turns.getOpaque();
    }

    @Override
    public boolean isSleeping() {
        return sleeping;
    }
}
