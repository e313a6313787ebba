// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.concurrent.locks.LockSupport;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyThread;
import org.jruby.ext.thread.ConditionVariable;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Thread::ConditionVariable for fibers and threads alike. Threads are taken over too, because JRuby's own wait unlocks
 * the mutex in Java, where fibers that wait for the mutex are not told.
 *
 * <p>Thread: any.
 */
final class OwnedConditionVariable extends ConditionVariable {
    private static final long serialVersionUID = 1L;
    private static final RubyThread.Task<Park, Void> PARK = new ParkTask();

    private final transient Waiters waiters = new Waiters();

    OwnedConditionVariable(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    @Override
    public IRubyObject wait_ruby(ThreadContext context, IRubyObject mutex, IRubyObject timeout) {
        long nanos = Waiting.nanos(context, timeout);
        IRubyObject scheduler = Waiting.scheduler(context);
        // Before the mutex is free: a signal that is sent from then on finds the waiter.
        Waiter waiter = scheduler == null ? Waiter.ofThread(context, this) : Waiter.ofFiber(context, scheduler, this);
        waiters.add(waiter);
        unlock(context, mutex, waiter);
        boolean woken;
        try {
            woken = scheduler == null
                    ? parkThread(context, waiter, nanos)
                    : Waiting.park(context, scheduler, waiters, waiter, this, nanos);
        } finally {
            lock(context, mutex);
        }
        return woken || nanos < 0 ? this : context.nil;
    }

    @Override
    public synchronized IRubyObject signal(ThreadContext context) {
        waiters.wakeOne(context);
        return this;
    }

    @Override
    public synchronized IRubyObject broadcast(ThreadContext context) {
        waiters.wakeAll(context);
        return this;
    }

    private void unlock(ThreadContext context, IRubyObject mutex, Waiter waiter) {
        boolean unlocked = false;
        try {
            mutex.callMethod(context, "unlock");
            unlocked = true;
        } finally {
            if (!unlocked) {
                waiters.leave(waiter);
            }
        }
    }

    private static void lock(ThreadContext context, IRubyObject mutex) {
        if (mutex instanceof OwnedMutex owned) {
            owned.lockAgain(context);
        } else {
            mutex.callMethod(context, "lock");
        }
    }

    private boolean parkThread(ThreadContext context, Waiter waiter, long nanos) {
        boolean returned = false;
        boolean woken = false;
        try {
            context.getThread().executeTaskBlocking(context, new Park(waiter, nanos), PARK);
            returned = true;
        } catch (InterruptedException interrupted) {
            context.pollThreadEvents();
            returned = true;
        } finally {
            woken = waiters.leave(waiter);
            if (woken && !returned) {
                waiters.wakeOne(context);
            }
        }
        return woken;
    }

    private record Park(Waiter waiter, long nanos) {}

    /** The wait of a thread as JRuby's threads know it, so that Thread#raise, #kill and #wakeup end it. */
    private static final class ParkTask implements RubyThread.Task<Park, Void> {
        @Override
        public Void run(ThreadContext context, Park park) throws InterruptedException {
            long start = System.nanoTime();
            while (park.waiter.state == Waiter.State.WAITING) {
                long left = park.nanos - (System.nanoTime() - start);
                if (park.nanos >= 0 && left <= 0) {
                    return null;
                }
                if (park.nanos < 0) {
                    LockSupport.park(park.waiter);
                } else {
                    LockSupport.parkNanos(park.waiter, left);
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return null;
        }

        @Override
        public void wakeup(RubyThread thread, Park park) {
            thread.getNativeThread().interrupt();
        }
    }
}
