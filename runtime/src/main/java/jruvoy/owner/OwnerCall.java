// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.Ruby;
import org.jruby.runtime.Helpers;
import org.jruby.runtime.ThreadContext;

/**
 * A task that another thread, or a fiber of another owner, lets the loop do, because only the owner may touch its
 * streams. The caller goes on when the task is over and not before, whatever interrupts it: what the task touches is
 * the owner's until then, and what it found out is not lost.
 *
 * <p>Thread: made and awaited by any but the owner, run by the owner; abandoned by any.
 */
final class OwnerCall extends ReadyEntry {
    private final Latch done = new Latch();
    private final Ruby runtime;
    private final Runnable task;
    /** Written before the latch opens, read by the caller after, as what follows. */
    private Throwable failure;

    private boolean abandoned;

    OwnerCall(Ruby runtime, Runnable task) {
        this.runtime = runtime;
        this.task = task;
    }

    /**
     * Lets the loop do a task, which must not wait, and waits until it is done; what the task throws is thrown here.
     *
     * @return false when the loop has ended without having done it
     */
    static boolean run(ThreadContext context, OwnerSelector selector, Runnable task) {
        OwnerCall call = new OwnerCall(context.runtime, task);
        selector.push(call);
        call.done.awaitCertain(context);
        if (call.failure != null) {
            Helpers.throwException(call.failure);
        }
        return !call.abandoned;
    }

    @Override
    void run(ThreadContext context) {
        try {
            task.run();
        } catch (Throwable thrown) { // Errors as well: the caller's, not the loop's.
            failure = thrown;
        } finally {
            done.open(context);
        }
    }

    @Override
    void abandon() {
        abandoned = true;
        done.open(runtime.getCurrentContext());
    }
}
