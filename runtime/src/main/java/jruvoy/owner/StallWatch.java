// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import jruvoy.bridge.Log;

/**
 * Looks at every owner of the process, several times in the time that one may be held, and tells of each that is held
 * for longer. The owners pay for it with one opaque write per turn.
 *
 * <p>Thread: {@link #add} and {@link #remove} any; the looking is done by a daemon thread of its own, the only one of
 * the process, which waits while there are no owners.
 */
final class StallWatch {
    private static final StallWatch PROCESS = new StallWatch();
    private static final long LOOKS_PER_LIMIT = 4;
    private static final long LONGEST_MILLIS = 250;

    /** Guarded by this. */
    private final Set<OwnerPulse> pulses = new LinkedHashSet<>();
    /** Guarded by this. */
    private Thread thread;

    private StallWatch() {}

    /** Watches an owner from now on. */
    static void add(OwnerPulse pulse) {
        PROCESS.join(pulse);
    }

    /** Watches it no more. */
    static void remove(OwnerPulse pulse) {
        PROCESS.leave(pulse);
    }

    private synchronized void join(OwnerPulse pulse) {
        pulses.add(pulse);
        if (thread == null) {
            thread = new Thread(null, this::watch, "stall-watch");
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    private synchronized void leave(OwnerPulse pulse) {
        pulses.remove(pulse);
    }

    private void watch() {
        try {
            while (true) {
                for (OwnerPulse pulse : next()) {
                    look(pulse);
                }
            }
        } catch (InterruptedException end) {
            Log.warn("owners are not watched any more: " + end);
        }
    }

    /** Waits until it is time for a look. */
    private synchronized List<OwnerPulse> next() throws InterruptedException {
        wait(pulses.isEmpty() ? 0 : pause());
        return List.copyOf(pulses);
    }

    private long pause() {
        long shortest = LONGEST_MILLIS;
        for (OwnerPulse pulse : pulses) {
            shortest = Math.min(shortest, pulse.limitMillis() / LOOKS_PER_LIMIT);
        }
        return Math.max(1, shortest);
    }

    private static void look(OwnerPulse pulse) {
        try {
            pulse.look(System.nanoTime());
        } catch (RuntimeException | Error failure) {
            Log.warn("an owner that is held could not be looked at: " + failure);
        }
    }
}
