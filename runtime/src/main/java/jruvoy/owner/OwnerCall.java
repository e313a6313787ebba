// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.concurrent.CountDownLatch;
import org.jruby.RubyThread;
import org.jruby.runtime.ThreadContext;

/**
 * A task that another thread lets the loop do, because only the owner may touch its streams.
 *
 * <p>Thread: made and awaited by any thread but the owner, run by the owner.
 */
final class OwnerCall extends ReadyEntry {
    private static final RubyThread.Task<CountDownLatch, Void> AWAIT = new RubyThread.Task<>() {
        @Override
        public Void run(ThreadContext context, CountDownLatch latch) throws InterruptedException {
            latch.await();
            return null;
        }

        @Override
        public void wakeup(RubyThread thread, CountDownLatch latch) {
            thread.getNativeThread().interrupt();
        }
    };

    private final CountDownLatch done = new CountDownLatch(1);
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
        await(context, call.done);
        if (call.failure != null) {
            throw call.failure;
        }
    }

    /** Blocks the calling thread as a Ruby thread waits: others can kill it or raise in it. */
    static void await(ThreadContext context, CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                context.getThread().executeTaskBlocking(context, latch, AWAIT);
            } catch (InterruptedException interrupted) {
                context.pollThreadEvents();
            }
        }
    }

    @Override
    void run(ThreadContext context) {
        try {
            task.run();
        } catch (RuntimeException thrown) {
            failure = thrown;
        } finally {
            done.countDown();
        }
    }
}
