// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jruby.Ruby;
import org.jruby.RubyException;
import org.jruby.RubyThread;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;

/**
 * Brings the cancel of a {@link PoolThread}'s job to the fiber that runs instead of the thread. It is raised where that
 * one waits, and taken back when it has given control back without having raised it.
 *
 * <p>It reaches the fiber that the thread's own has resumed, wherever that one is. A fiber which that one has resumed in
 * turn, and which gives control back to it in the moment of the cancel, still does so in JRuby's way, which fails then.
 *
 * <p>Thread: any, under the pool thread's lock, which the fiber takes before it gives control back. The lock of the
 * fiber's thread, which JRuby takes to raise there, is taken inside it, never the other way round.
 */
final class FiberCancel {
    /** Between two looks whether a fiber waits by now. */
    private static final long LOOK_NANOS = 10_000_000;

    private final ThreadFiber root;
    private boolean away;
    /** The fiber's thread in which {@link #lent} was raised and may not have arrived, or null. */
    private RubyThread told;

    private RubyException lent;

    /** @param root the thread's own fiber, before its first switch */
    FiberCancel(ThreadFiber root, Runnable returns) {
        this.root = root;
        FiberExchange.returnsBy(root, returns);
    }

    /** Whether a fiber runs instead of the thread. */
    boolean isAway() {
        return away;
    }

    /** The thread gives control to a fiber. */
    void leave() {
        away = true;
    }

    /**
     * Raises the cancel in the fiber, if it waits for something else than control.
     *
     * @return whether that was done
     */
    boolean tell(RubyException cancel) {
        told = FiberExchange.raiseWhereItSleeps(root, cancel);
        lent = told == null ? null : cancel;
        return told != null;
    }

    /** Tries until it is done or not needed: a fiber does not say when it begins to wait. */
    static void keepTelling(Ruby runtime, String title, BooleanSupplier done) {
        Thread.ofVirtual().name(title + "-cancel").start(() -> {
            ThreadContext context = runtime.getCurrentContext();
            try {
                while (!done.getAsBoolean()) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            } finally {
                runtime.getThreadService().unregisterCurrentThread(context);
            }
        });
    }

    /**
     * The fiber gives control back. Its own thread, which no cancel interrupts from now on.
     *
     * @return what has not been raised there, or null
     */
    RubyException comeBack() {
        RubyException back = told != null && FiberExchange.takeBack(told, lent) ? lent : null;
        if (told != null && told.getNativeThread() == Thread.currentThread()) {
            Thread.interrupted();
        }
        away = false;
        told = null;
        lent = null;
        return back;
    }
}
