// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.ArrayDeque;
import org.jruby.runtime.ThreadContext;

/**
 * Fibers that wait for something the loop's source brings: bytes of a body, credit. A wake that comes too late for a
 * fiber that has gone on for another reason does nothing.
 *
 * <p>Thread: the owner.
 */
public final class OwnerWait {
    private final OwnerSelector selector;
    private final ArrayDeque<ReadyEntry.OfFiber> waiting = new ArrayDeque<>(2);

    /** A wait whose fibers live on this selector's loop. */
    public OwnerWait(OwnerSelector selector) {
        this.selector = selector;
    }

    /** Parks the calling fiber until {@link #wake()}, or for no reason: the caller looks and parks again. */
    public void park(ThreadContext context) {
        ReadyEntry.OfFiber entry = new ReadyEntry.OfFiber(context.getFiber());
        waiting.add(entry);
        try {
            selector.park(context);
        } finally {
            waiting.remove(entry);
            entry.clear();
        }
    }

    /** Lets every fiber that waits look again, in the next turn. */
    public void wake() {
        for (ReadyEntry.OfFiber entry = waiting.poll(); entry != null; entry = waiting.poll()) {
            selector.push(entry);
        }
    }
}
