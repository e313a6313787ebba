// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How long an owner has been in the same turn, as looks at it from outside tell.
 *
 * <p>Thread: the one that looks.
 */
final class OwnerPulse {
    /** What the owner says of itself. Thread: the owner writes, any reads. */
    interface Source {
        /** A number that changes with each turn of the loop, and after each sleep. */
        long turn();

        /** Whether the loop waits for something to do. */
        boolean isSleeping();
    }

    private final Source source;
    private final long limitNanos;
    private final Consumer<Duration> stalled;
    private long turn = -1;
    private long heldNanos;
    private long lookedAt;
    private boolean told;

    /**
     * A pulse that nobody has felt yet.
     *
     * @param limit how long a turn may last
     * @param stalled told once for each turn that lasts longer, with the time so far
     */
    OwnerPulse(Source source, Duration limit, Consumer<Duration> stalled) {
        this.source = source;
        this.limitNanos = limit.toNanos();
        this.stalled = stalled;
    }

    long limitMillis() {
        return limitNanos / 1_000_000;
    }

    /** Looks. @param now of the clock of {@link System#nanoTime} */
    void look(long now) {
        long seen = source.turn();
        if (source.isSleeping() || seen != turn) {
            turn = seen;
            heldNanos = 0;
            told = false;
        } else {
            // While the whole process stood still the owner did too: such a gap counts as one look.
            heldNanos += Math.min(now - lookedAt, limitNanos / 2);
        }
        lookedAt = now;
        if (heldNanos >= limitNanos && !told) {
            told = true;
            stalled.accept(Duration.ofNanos(heldNanos));
        }
    }
}
