// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

/**
 * What feeds an owner's loop beside its fibers: in the server the inbox, in tests and plain JVMs nothing.
 *
 * <p>Thread: every method is called by the owner, on the loop's root fiber.
 */
public interface LoopSource {
    /** A source that never has anything: the loop then lives on fibers, timers and descriptors alone. */
    LoopSource NONE = new LoopSource() {
        @Override
        public int drain() {
            return 0;
        }

        @Override
        public boolean prepareSleep() {
            return true;
        }

        @Override
        public void awake() {}

        @Override
        public int wakeDescriptor() {
            return -1;
        }
    };

    /**
     * Takes and dispatches what has arrived, and flushes what is to be sent. Called once before and once after the
     * fibers of a turn, so that nothing waits for the end of a sleep.
     *
     * @return how many things were done; 0 lets the loop sleep
     */
    int drain();

    /**
     * Announces that the loop is about to sleep.
     *
     * @return true when nothing has arrived since the last drain: from now on producers write the wake descriptor;
     *     false when the loop must drain again instead
     */
    boolean prepareSleep();

    /** The sleep is over (or was given up after {@link #prepareSleep()} said yes): producers need not wake any more. */
    void awake();

    /**
     * The descriptor that producers write to wake the loop. The loop only waits for it to become readable; the source
     * resets it in {@link #awake()}.
     *
     * @return an eventfd or pipe, or -1 when there is none
     */
    int wakeDescriptor();
}
