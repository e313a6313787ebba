// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.ArrayDeque;
import org.jruby.runtime.ThreadContext;

/**
 * The waits of one primitive, first come first served. It leans on java.util only: whatever it used of Ruby's own
 * primitives could come back here.
 *
 * <p>The order that makes no wake get lost: a waiter adds itself and then looks at the primitive again; who changes the
 * primitive does so and then looks at {@link #size}. All four are volatile or stronger, so one of them sees the other.
 *
 * <p>Thread: any.
 */
final class Waiters {
    /** Made with the first wait: most primitives never see one. Guarded by this. */
    private ArrayDeque<Waiter> queue;

    private volatile int size;

    /** How many wait now. */
    int size() {
        return size;
    }

    /** Adds a wait at the end. */
    synchronized void add(Waiter waiter) {
        if (queue == null) {
            queue = new ArrayDeque<>(4);
        }
        queue.add(waiter);
        size = queue.size();
    }

    /** Ends a wait. @return whether it was woken; a waiter that gives up all the same must pass the wake on */
    synchronized boolean leave(Waiter waiter) {
        boolean woken = waiter.state == Waiter.State.WOKEN;
        if (!woken) {
            queue.remove(waiter);
            size = queue.size();
        }
        waiter.state = Waiter.State.OVER;
        return woken;
    }

    /** Wakes the first waiter, if there is one. */
    void wakeOne(ThreadContext context) {
        Waiter waiter = size == 0 ? null : take();
        if (waiter != null) {
            waiter.unblock(context);
        }
    }

    /** Wakes all who wait now. */
    void wakeAll(ThreadContext context) {
        for (Waiter waiter = size == 0 ? null : take(); waiter != null; waiter = take()) {
            waiter.unblock(context);
        }
    }

    private synchronized Waiter take() {
        Waiter waiter = queue.poll();
        if (waiter != null) {
            size = queue.size();
            waiter.state = Waiter.State.WOKEN;
        }
        return waiter;
    }
}
