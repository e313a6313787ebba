// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.concurrent.CountDownLatch;
import org.jruby.RubyThread;
import org.jruby.runtime.Helpers;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * A wait for another owner that happens once. A fiber waits by its scheduler, so that its own owner goes on: two owners
 * that waited for each other as threads do would wait for ever.
 *
 * <p>Thread: opened by one, awaited by one other.
 */
final class Latch {
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

    private final CountDownLatch latch = new CountDownLatch(1);
    private final Waiters fibers = new Waiters();

    /** Lets the waiting one go on, now or when it comes. */
    void open(ThreadContext context) {
        latch.countDown();
        fibers.wakeAll(context);
    }

    /** Waits; a fiber can be cancelled meanwhile, a thread killed. */
    void await(ThreadContext context) {
        IRubyObject scheduler = Waiting.scheduler(context);
        if (scheduler == null) {
            awaitAsThread(context);
        } else {
            Waiting.until(context, scheduler, fibers, context.nil, Waiting.FOREVER, () -> latch.getCount() == 0);
        }
    }

    /**
     * Waits for what comes in any case, and soon. It is no wait that could be cancelled: nothing interrupts a thread,
     * and what interrupts a fiber is thrown when the latch is open.
     */
    void awaitCertain(ThreadContext context) {
        if (Waiting.scheduler(context) == null) {
            awaitUninterrupted();
            return;
        }
        Throwable interruption = null;
        while (latch.getCount() > 0) {
            try {
                await(context);
            } catch (Throwable thrown) { // Ruby throws what Java calls checked, too.
                interruption = interruption == null ? thrown : interruption;
            }
        }
        if (interruption != null) {
            Helpers.throwException(interruption);
        }
    }

    private void awaitUninterrupted() {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException early) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAsThread(ThreadContext context) {
        while (latch.getCount() > 0) {
            try {
                context.getThread().executeTaskBlocking(context, latch, AWAIT);
            } catch (InterruptedException interrupted) {
                context.pollThreadEvents();
            }
        }
    }
}
