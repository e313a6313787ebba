// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.ArrayDeque;
import java.util.List;
import jruvoy.bridge.Log;
import org.jruby.Ruby;
import org.jruby.RubyException;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.Block;
import org.jruby.runtime.Helpers;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * One piece of work for a {@link ThreadPool}: it waits, runs, and has ended only when it has really stopped, also when
 * it was cancelled.
 *
 * <p>Thread: any, except {@link #guard} and what is package-private (the thread that does the job).
 */
public final class PoolJob {
    /** What is to be done. Thread: one of the pool's. */
    @FunctionalInterface
    public interface Work {
        /** Does it. What it throws is logged. */
        void run(ThreadContext context);
    }

    /** Where a job stands. */
    private enum State {
        WAITING,
        RUNNING,
        ENDED
    }

    /** Somebody to be called when the job is cancelled. */
    private static final class Guard {
        private final IRubyObject callable;
        /** The job was cancelled while this was there. Guarded by the job, as what follows. */
        private boolean hit;

        private boolean called;

        Guard(IRubyObject callable) {
            this.callable = callable;
        }
    }

    private final Work work;
    private final Work ending;
    /** Innermost first. Guarded by this, as what follows. */
    private final ArrayDeque<Guard> guards = new ArrayDeque<>(1);

    private State state = State.WAITING;
    private ThreadPool pool;
    private PoolThread thread;
    private RubyException cancelled;
    /** Guards are being called; the interrupt follows. */
    private boolean calling;
    /** The cancellation has been raised inside the job by a guard: the interrupt is not needed any more. */
    private boolean told;

    /**
     * A job.
     *
     * @param ending called when the job has ended, by whoever has ended it; must not wait
     */
    public PoolJob(Work work, Work ending) {
        this.work = work;
        this.ending = ending;
    }

    /** Whether the job is over, or will never be done. */
    public synchronized boolean hasEnded() {
        return state == State.ENDED;
    }

    /** Whether this is what the job that the calling thread is doing was cancelled with. */
    public static boolean isCancel(ThreadContext context, Throwable failure) {
        PoolJob job = PoolThread.currentJob(context);
        return job != null && job.isCancelled(failure);
    }

    private boolean isCancelled(Throwable failure) {
        return failure instanceof RaiseException raise && raise.getException() == cancelled;
    }

    /**
     * Cancels the job. One that waits is never done. One that runs is interrupted where it waits, after its guards have
     * been called; it ends when it likes. Only the first call counts.
     *
     * @param exception what the job's waits raise
     * @return whether it will never be done: it has ended by this call
     */
    public boolean cancel(ThreadContext context, RubyException exception) {
        synchronized (this) {
            if (cancelled != null || state == State.ENDED) {
                return false;
            }
            cancelled = exception;
            if (state == State.RUNNING) {
                interrupt(context.runtime);
                return false;
            }
            state = State.ENDED;
        }
        pool.withdraw(this);
        ending.run(context);
        return true;
    }

    /**
     * Runs a block that a callable can stop, inside the job that the calling thread is doing.
     *
     * <p>When the job is cancelled meanwhile, the callable is called by another thread, then the calling thread is
     * interrupted, and when the block has ended, however it did, the job's exception is raised here; what follows may
     * wait.
     *
     * @param onCancel answers call, or nil
     */
    static IRubyObject guard(ThreadContext context, IRubyObject onCancel, Block block) {
        PoolJob job = PoolThread.currentJob(context);
        return job == null ? block.yieldSpecific(context) : job.guarded(context, onCancel, block);
    }

    /** The job was given to a pool. */
    synchronized void enqueue(ThreadPool by) {
        pool = by;
    }

    /** @return false when the job was cancelled and must not be done */
    synchronized boolean begin(PoolThread by) {
        if (state == State.ENDED) {
            return false;
        }
        state = State.RUNNING;
        thread = by;
        return true;
    }

    void run(ThreadContext context) {
        work.run(context);
    }

    void end(ThreadContext context) {
        synchronized (this) {
            state = State.ENDED;
            thread = null;
        }
        ending.run(context);
    }

    private IRubyObject guarded(ThreadContext context, IRubyObject onCancel, Block block) {
        Guard guard = new Guard(onCancel);
        enter(context, guard);
        IRubyObject result = null;
        Throwable failure = null;
        try {
            result = block.yieldSpecific(context);
        } catch (Throwable thrown) { // Ruby throws what Java calls checked, too.
            failure = thrown;
        }
        if (leave(guard) && !isCancelled(failure)) {
            throw raised(context);
        }
        if (failure != null) {
            Helpers.throwException(failure);
        }
        return result;
    }

    /**
     * As any wait: where the job was cancelled before and has not been told, it is told here.
     */
    private void enter(ThreadContext context, Guard guard) {
        synchronized (this) {
            if (calling && !told) {
                told = true;
                throw raised(context);
            }
            guards.push(guard);
            if (cancelled == null || told) {
                return;
            }
        }
        try {
            thread.enterWait(context);
        } catch (RuntimeException told) {
            leave(guard);
            throw told;
        }
    }

    private RuntimeException raised(ThreadContext context) {
        cancelled.prepareBacktrace(context);
        return cancelled.toThrowable();
    }

    /**
     * While the guard is called the block must not end: what it stops would be the next thing that is done.
     *
     * @return whether the job was cancelled since the guard came
     */
    private synchronized boolean leave(Guard guard) {
        boolean interrupted = false;
        while (guard.called) {
            try {
                wait();
            } catch (InterruptedException early) {
                interrupted = true;
            }
        }
        guards.remove(guard);
        if (guard.hit) {
            told = true;
            thread.forgetInterrupt();
        } else if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return guard.hit;
    }

    private void interrupt(Ruby runtime) {
        List<Guard> hit = List.copyOf(guards);
        hit.forEach(guard -> guard.hit = true);
        if (hit.stream().allMatch(guard -> guard.callable.isNil())) {
            thread.interrupt(this, cancelled);
            return;
        }
        calling = true;
        Thread.ofVirtual().name("cancel").start(() -> call(runtime, hit));
    }

    private void call(Ruby runtime, List<Guard> hit) {
        ThreadContext context = runtime.getCurrentContext();
        try {
            hit.forEach(guard -> call(context, guard));
        } finally {
            synchronized (this) {
                calling = false;
                if (!told && state == State.RUNNING) {
                    thread.interrupt(this, cancelled);
                }
            }
            runtime.getThreadService().unregisterCurrentThread(context);
        }
    }

    private void call(ThreadContext context, Guard guard) {
        synchronized (this) {
            // Its block may have ended since, by what the ones inside it did.
            guard.called = !guard.callable.isNil() && guards.contains(guard);
            if (!guard.called) {
                return;
            }
        }
        try {
            guard.callable.callMethod(context, "call");
        } catch (Throwable failure) { // Ruby throws what Java calls checked, too.
            Log.error("on_cancel failed: " + failure);
        } finally {
            synchronized (this) {
                guard.called = false;
                notifyAll();
            }
        }
    }
}
