// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.nio.ByteBuffer;
import jruvoy.bridge.Log;
import org.jruby.Ruby;
import org.jruby.RubyException;
import org.jruby.RubyThread;
import org.jruby.exceptions.ThreadKill;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.FiberQueue;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.io.OpenFile;

/**
 * A Ruby thread that does one job of a {@link ThreadPool} after the other.
 *
 * <p>A job that is cancelled learns it once, where it waits next: a wait of Ruby raises the exception, a wait of Java
 * ends as Java ends waits, by an InterruptedException, and after that no wait of Ruby raises any more, so that the
 * clean-up which follows may wait. Between waits nothing happens. The interrupt flag of the native thread says that
 * nobody has been told so far; it never outlives the job.
 *
 * <p>Thread: its own, except {@link #start} and {@link #interrupt(PoolJob, RubyException)} (any).
 */
final class PoolThread extends RubyThread {
    private static final long serialVersionUID = 1L;

    private final String title;
    /** Guarded by this, which is JRuby's own lock of a thread; written by the thread itself. */
    private transient PoolJob job;
    /** What the job is to be told, until it has been told. Written under the lock. */
    private transient volatile RubyException pending;
    /** The interrupt flag, kept here while something would see it that must not. Guarded by this. */
    private boolean owed;
    /** The native thread must not be interrupted now. Guarded by this; written by the thread itself. */
    private boolean hidden;
    /** For while one of the thread's fibers runs instead of it. Written before the first job. Guarded by this. */
    private transient FiberCancel fibers;
    /** How many waits of Ruby the thread is in. Own thread only. */
    private int waits;

    private boolean killed;

    /** Starts a thread. @param life what it does, which is {@link #live} */
    PoolThread(Ruby runtime, String title, Runnable life) {
        this.title = title;
        super(runtime, runtime.getThread(), life);
    }

    /** The job that the calling thread is doing, or null on every other thread. */
    static PoolJob currentJob(ThreadContext context) {
        return context.getThread() instanceof PoolThread current ? current.job : null;
    }

    /** Tells a job that it is cancelled, unless it is over. Any thread. */
    void interrupt(PoolJob target, RubyException exception) {
        synchronized (this) {
            if (job != target) {
                return;
            }
            pending = exception;
            if (fibers.isAway()) {
                owed = true;
                FiberCancel.keepTelling(getRuntime(), title, this::isToldByFiber);
                return;
            }
            if (hidden || !getScheduler().isNil()) {
                owed = true;
            } else {
                getNativeThread().interrupt();
            }
            if (!hidden) {
                interrupt();
            }
        }
    }

    /** Whether it need not be tried again. Any thread. */
    private synchronized boolean isToldByFiber() {
        if (fibers.isAway() && pending != null && fibers.tell(pending)) {
            pending = null;
            owed = false;
        }
        return pending == null || !fibers.isAway();
    }

    /** What a fiber was to tell and has not told is told by the thread. The fiber, before it gives control back. */
    private synchronized void comesBack() {
        RubyException untold = fibers.comeBack();
        if (untold != null) {
            pending = untold;
            owed = true;
        }
    }

    /** Takes back what the job has not been told so far. Own thread only. */
    void forgetInterrupt() {
        synchronized (this) {
            pending = null;
            owed = false;
            Thread.interrupted();
        }
    }

    /** Does jobs until the pool has no more for it. Own thread. */
    void live(ThreadPool pool) {
        ThreadContext context = getRuntime().getThreadService().registerNewThread(this);
        Thread.currentThread().setContextClassLoader(getRuntime().getJRubyClassLoader());
        setName(context, context.runtime.newString(title));
        Thread.currentThread().setName(title);
        fibers = new FiberCancel(context.getFiber(), this::comesBack);
        context.pushFrame();
        try {
            for (PoolJob next = pool.take(); next != null; next = pool.take()) {
                work(context, next);
                if (killed) {
                    pool.lost();
                    return;
                }
            }
        } finally {
            dispose();
        }
    }

    private void work(ThreadContext context, PoolJob next) {
        dropEvents(context);
        hold(next);
        if (!next.begin(this)) {
            hold(null);
            return;
        }
        try {
            next.run(context);
        } catch (ThreadKill kill) {
            // JRuby kills a thread once only, so that this one cannot go on. The job has ended all the same.
            killed = true;
        } catch (Throwable failure) { // Ruby throws what Java calls checked, too.
            Log.error("a job was given up: " + failure);
        } finally {
            hold(null);
            forget(context);
            next.end(context);
        }
    }

    /** From now on interrupts for this job are taken, and for no other. */
    private void hold(PoolJob next) {
        synchronized (this) {
            job = next;
        }
    }

    /** What a job has left behind must not reach the next one. */
    private void forget(ThreadContext context) {
        waits = 0;
        forgetInterrupt();
        try {
            IRubyObject scheduler = getScheduler();
            if (!scheduler.isNil()) {
                setFiberScheduler(context, context.nil);
            }
        } catch (ThreadKill kill) {
            killed = true;
        } catch (RuntimeException failure) {
            Log.error("a scheduler that a job had left did not end well: " + failure);
        }
        dropEvents(context);
        HeldLocks.release(context);
        unlockAll();
        clearFiberLocals();
        clearThreadLocals();
        FiberExchange.clearStorage(context.getFiber());
        context.setLastExitStatus(context.nil);
        setReportOnException(context.runtime.isReportOnException());
        setAbortOnException(false);
        setName(context, context.runtime.newString(title));
        Thread.currentThread().setName(title);
        Thread.currentThread().setPriority(Thread.NORM_PRIORITY);
        Thread.interrupted();
    }

    /** What other threads have raised here by now was meant for a job that is over. */
    private void dropEvents(ThreadContext context) {
        boolean dropped = true;
        while (dropped) {
            try {
                super.blockingThreadPoll(context);
                dropped = false;
            } catch (ThreadKill kill) {
                killed = true;
            } catch (RuntimeException late) {
                // There may be more of them.
            }
        }
    }

    // ---- Waits of Ruby, as JRuby makes them. Own thread. ----

    @Override
    public <D, R> R executeTaskBlocking(ThreadContext context, D data, Task<D, R> task) throws InterruptedException {
        if (data instanceof FiberQueue) {
            // One of the fibers runs; an exception here would be sent after it.
            return hide(() -> super.executeTaskBlocking(context, data, task));
        }
        return await(context, () -> super.executeTaskBlocking(context, data, task));
    }

    @Override
    public <D, R> R executeTaskBlocking(ThreadContext context, D data, Status status, Task<D, R> task)
            throws InterruptedException {
        return await(context, () -> super.executeTaskBlocking(context, data, status, task));
    }

    @Override
    public <D, R> R executeTask(ThreadContext context, D data, Task<D, R> task) throws InterruptedException {
        return await(context, () -> super.executeTask(context, data, task));
    }

    @Override
    public <D, R> R executeTask(ThreadContext context, D data, Status status, Task<D, R> task)
            throws InterruptedException {
        return await(context, () -> super.executeTask(context, data, status, task));
    }

    @Override
    public <D> int executeReadWrite(
            ThreadContext context, D data, byte[] bytes, int start, int length, ReadWrite<D> task)
            throws InterruptedException {
        return transfer(context, data, () -> super.executeReadWrite(context, data, bytes, start, length, task));
    }

    @Override
    public <D> int executeReadWrite(
            ThreadContext context, D data, ByteBuffer bytes, int start, int length, ReadWrite<D> task)
            throws InterruptedException {
        return transfer(context, data, () -> super.executeReadWrite(context, data, bytes, start, length, task));
    }

    @Override
    public void beforeBlockingCall(ThreadContext context) {
        waits++; // First: JRuby ends the wait also when it did not begin.
        enterWait(context);
        super.beforeBlockingCall(context);
    }

    @Override
    public void afterBlockingCall() {
        super.afterBlockingCall();
        waits--;
    }

    /**
     * The thread gives way to one of its fibers, which is a wait: JRuby cannot do that while the flag is up. A loop of
     * Async's that runs here has its own way.
     */
    @Override
    public void decrementBlocking() {
        if (isHere() && getScheduler().isNil()) {
            enterWait(getContext());
            cover();
            synchronized (this) {
                fibers.leave();
            }
        }
        super.decrementBlocking();
    }

    @Override
    public void incrementBlocking() {
        super.incrementBlocking();
        if (isHere()) {
            uncover();
        }
    }

    @Override
    public void pollThreadEvents(ThreadContext context) {
        poll(context, () -> super.pollThreadEvents(context));
    }

    @Override
    public void blockingThreadPoll(ThreadContext context) {
        poll(context, () -> super.blockingThreadPoll(context));
    }

    /** A wait of Ruby; something that has a value and may be interrupted. */
    @FunctionalInterface
    interface Wait<R> {
        /** Does it. */
        R end() throws InterruptedException;
    }

    private <R> R await(ThreadContext context, Wait<R> wait) throws InterruptedException {
        enterWait(context);
        waits++;
        try {
            return wait.end();
        } finally {
            waits--;
        }
    }

    /** A read or a write. A file that is only written may be a log; an interrupt would close it for everybody. */
    private int transfer(ThreadContext context, Object data, Wait<Integer> wait) throws InterruptedException {
        boolean shared = data instanceof OpenFile file && !file.isReadable() && file.fd().chFile != null;
        return await(context, shared ? () -> hide(wait) : wait);
    }

    /** Does what takes a lock of Java for a moment, which fails where the flag is up already. Any thread. */
    static <R> R undisturbed(ThreadContext context, Wait<R> work) throws InterruptedException {
        return context.getThread() instanceof PoolThread current ? current.hide(work) : work.end();
    }

    /** The native thread is not interrupted meanwhile, but afterwards. */
    private <R> R hide(Wait<R> wait) throws InterruptedException {
        if (hidden) {
            return wait.end();
        }
        cover();
        try {
            return wait.end();
        } finally {
            uncover();
        }
    }

    private void cover() {
        synchronized (this) {
            hidden = true;
            owed |= Thread.interrupted() && pending != null;
        }
    }

    private void uncover() {
        synchronized (this) {
            hidden = false;
            comesBack();
            if (owed && getScheduler().isNil()) {
                owed = false;
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isHere() {
        return getNativeThread() == Thread.currentThread();
    }

    /** Own thread. Raises what is pending, unless a wait of Java was ended by it, as the flag then tells. */
    void enterWait(ThreadContext context) {
        if (pending == null) {
            return;
        }
        RubyException exception;
        synchronized (this) {
            exception = owed | Thread.interrupted() ? pending : null;
            pending = null;
            owed = false;
        }
        raise(context, exception);
    }

    private void poll(ThreadContext context, Runnable theirs) {
        if (waits > 0 && !hidden && pending != null) {
            RubyException exception;
            synchronized (this) {
                exception = pending;
                forgetInterrupt();
            }
            raise(context, exception);
        }
        boolean untold = pending == null || Thread.currentThread().isInterrupted();
        try {
            theirs.run();
        } finally {
            // JRuby clears the flag wherever it looks; it must stand until the next wait.
            synchronized (this) {
                if (pending != null && untold && !owed) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private static void raise(ThreadContext context, RubyException exception) {
        if (exception != null) {
            exception.prepareBacktrace(context);
            throw exception.toThrowable();
        }
    }
}
