// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.FiberScheduler;
import org.jruby.api.Convert;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * How a fiber waits for a primitive: by its thread's scheduler, so that the other fibers run meanwhile.
 *
 * <p>Thread: the fiber that waits.
 */
final class Waiting {
    /** For {@link #until}: there is no deadline. */
    static final long FOREVER = -1;

    private static final double NANOS_PER_SECOND = 1e9;

    /** One try to get what the fiber waits for. */
    @FunctionalInterface
    interface Attempt {
        /** Whether it worked; must not wait. */
        boolean succeeds();
    }

    private Waiting() {}

    /** The scheduler that can park the caller, or null when the caller has to wait as a thread does. */
    static IRubyObject scheduler(ThreadContext context) {
        if (context.getFiber().isBlocking()) {
            return null;
        }
        IRubyObject scheduler = context.getFiberCurrentThread().getSchedulerCurrent();
        return scheduler.isNil() ? null : scheduler;
    }

    /**
     * Parks the calling fiber until an attempt succeeds.
     *
     * @param list who wakes, when an attempt may be worth while
     * @param blocker shown to the scheduler
     * @param nanos how long at most, or {@link #FOREVER}
     * @return false when the time passed first
     */
    static boolean until(
            ThreadContext context,
            IRubyObject scheduler,
            Waiters list,
            IRubyObject blocker,
            long nanos,
            Attempt attempt) {
        long start = nanos < 0 ? 0 : System.nanoTime();
        while (!attempt.succeeds()) {
            long left = nanos < 0 ? FOREVER : nanos - (System.nanoTime() - start);
            if (nanos >= 0 && left <= 0) {
                return false;
            }
            if (attemptOrPark(context, scheduler, list, blocker, left, attempt)) {
                return true;
            }
        }
        return true;
    }

    /**
     * Parks the calling fiber once.
     *
     * @param waiter already in the list
     * @return whether it was woken, not timed out
     */
    static boolean park(
            ThreadContext context,
            IRubyObject scheduler,
            Waiters list,
            Waiter waiter,
            IRubyObject blocker,
            long nanos) {
        boolean returned = false;
        boolean woken = false;
        try {
            FiberScheduler.block(context, scheduler, blocker, timeout(context, nanos));
            returned = true;
        } finally {
            woken = list.leave(waiter);
            if (woken && !returned) {
                list.wakeOne(context);
            }
        }
        return woken;
    }

    /** A duration of Ruby in nanoseconds; nil is for ever, a negative one is over. */
    static long nanos(ThreadContext context, IRubyObject seconds) {
        return seconds.isNil() ? FOREVER : Math.max(0, (long) (Convert.toDouble(context, seconds) * NANOS_PER_SECOND));
    }

    private static IRubyObject timeout(ThreadContext context, long nanos) {
        return nanos < 0 ? context.nil : Convert.asFloat(context, nanos / NANOS_PER_SECOND);
    }

    private static boolean attemptOrPark(
            ThreadContext context,
            IRubyObject scheduler,
            Waiters list,
            IRubyObject blocker,
            long nanos,
            Attempt attempt) {
        Waiter waiter = Waiter.ofFiber(context, scheduler, blocker);
        list.add(waiter);
        boolean parked = false;
        try {
            // Once more, now that whoever changes the primitive will see the waiter.
            if (attempt.succeeds()) {
                return true;
            }
            FiberScheduler.block(context, scheduler, blocker, timeout(context, nanos));
            parked = true;
            return false;
        } finally {
            // A wake that this waiter did not wait for belongs to the next one.
            if (list.leave(waiter) && !parked) {
                list.wakeOne(context);
            }
        }
    }
}
