// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.runtime.ThreadContext;

/**
 * A task that another thread, or a fiber of another owner, lets the loop do, because only the owner may touch its
 * streams.
 *
 * <p>Thread: made and awaited by any but the owner, run by the owner.
 */
final class OwnerCall extends ReadyEntry {
    private final Latch done = new Latch();
    private final Runnable task;
    /** Written by the owner before the latch opens, read by the caller after. */
    private RuntimeException failure;

    OwnerCall(Runnable task) {
        this.task = task;
    }

    /** Lets the loop do a task and waits until it is done; what the task throws is thrown here. */
    static void run(ThreadContext context, OwnerSelector selector, Runnable task) {
        OwnerCall call = new OwnerCall(task);
        selector.push(call);
        call.done.await(context);
        if (call.failure != null) {
            throw call.failure;
        }
    }

    @Override
    void run(ThreadContext context) {
        try {
            task.run();
        } catch (RuntimeException thrown) {
            failure = thrown;
        } finally {
            done.open(context);
        }
    }
}
