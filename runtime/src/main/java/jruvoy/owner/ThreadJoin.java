// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyThread;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Thread#join and Thread#value, for fibers and threads. For a fiber the end of a thread is watched by a virtual thread,
 * which costs about as much as a fiber and needs nothing from the thread that is watched.
 *
 * <p>Thread: any.
 */
public final class ThreadJoin {
    private ThreadJoin() {}

    /** Binds the methods. @param thread the class Thread */
    static void install(ThreadContext context, RubyClass thread) {
        thread.defineMethods(context, ThreadJoin.class);
    }

    /** Thread#join(limit = nil). */
    @JRubyMethod(name = "join", optional = 1)
    public static IRubyObject join(ThreadContext context, IRubyObject self, IRubyObject[] limit) {
        RubyThread thread = (RubyThread) self;
        IRubyObject scheduler = Waiting.scheduler(context);
        if (!thread.isAlive() || thread == context.getThread()) {
            return limit.length == 0 ? thread.join(context) : thread.join(context, limit[0]);
        }
        long nanos = limit.length == 0 ? Waiting.FOREVER : Waiting.nanos(context, limit[0]);
        boolean ended =
                scheduler == null ? awaitAsThread(context, thread, nanos) : await(context, scheduler, thread, nanos);
        return ended ? thread.join(context) : context.nil;
    }

    /** Thread#value. */
    @JRubyMethod(name = "value")
    public static IRubyObject value(ThreadContext context, IRubyObject self) {
        join(context, self, IRubyObject.NULL_ARRAY);
        return ((RubyThread) self).value(context);
    }

    /** As a wait that may be interrupted: JRuby's own join prints what has interrupted it, and returns. */
    private static boolean awaitAsThread(ThreadContext context, RubyThread thread, long nanos) {
        long start = System.nanoTime();
        while (thread.isAlive() && (nanos < 0 || System.nanoTime() - start < nanos)) {
            long left = nanos < 0 ? nanos : nanos - (System.nanoTime() - start);
            try {
                context.getThread().executeTaskBlocking(context, thread, new Join(left));
            } catch (InterruptedException interrupted) {
                context.pollThreadEvents();
            }
        }
        return !thread.isAlive();
    }

    /** The wait of a thread for another one. @param nanos at most so long; less than 0 is for ever */
    private record Join(long nanos) implements RubyThread.Task<RubyThread, Void> {
        @Override
        public Void run(ThreadContext context, RubyThread thread) throws InterruptedException {
            Duration limit = nanos < 0 ? ChronoUnit.FOREVER.getDuration() : Duration.ofNanos(nanos);
            thread.getNativeThread().join(limit);
            return null;
        }

        @Override
        public void wakeup(RubyThread waiting, RubyThread thread) {
            waiting.getNativeThread().interrupt();
        }
    }

    private static boolean await(ThreadContext context, IRubyObject scheduler, RubyThread thread, long nanos) {
        Waiters waiters = new Waiters();
        Thread watcher = Thread.ofVirtual().unstarted(() -> watch(context.runtime, thread, waiters));
        watcher.start();
        try {
            return Waiting.until(context, scheduler, waiters, thread, nanos, () -> !thread.isAlive());
        } finally {
            watcher.interrupt();
        }
    }

    private static void watch(Ruby runtime, RubyThread thread, Waiters waiters) {
        try {
            thread.getNativeThread().join();
        } catch (InterruptedException nobodyWaits) {
            return;
        }
        ThreadContext context = runtime.getCurrentContext();
        try {
            waiters.wakeAll(context);
        } finally {
            runtime.getThreadService().unregisterCurrentThread(context);
        }
    }
}
