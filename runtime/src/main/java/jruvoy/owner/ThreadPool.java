// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import jruvoy.bridge.Log;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyException;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * A bounded number of Ruby threads for work that blocks, in Ruby Jruvoy::ThreadPool. Jobs wait in the order in which
 * they came; threads are made when there is no idle one, and stay.
 *
 * <p>Thread: any, except {@link #take} (the pool's threads).
 */
public final class ThreadPool extends RubyObject {
    private static final long serialVersionUID = 1L;
    /** After the system has refused a thread; the other threads go on. */
    private static final long RETRY_NANOS = 1_000_000_000;

    /** Guarded by this, as what follows. */
    private final transient Set<PoolJob> waiting = new LinkedHashSet<>();

    private String title = "pool";
    private int size = 1;
    private int threads;
    private int idle;
    private boolean closed;

    ThreadPool(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Makes a pool. @param size most threads there may be @param title their name */
    @JRubyMethod
    public IRubyObject initialize(ThreadContext context, IRubyObject size, IRubyObject title) {
        this.size = Convert.toInt(context, size);
        this.title = title.asJavaString();
        return this;
    }

    /**
     * Runs a block on a thread of the pool while the calling fiber is parked.
     *
     * <p>When the fiber is interrupted meanwhile the job is cancelled; the fiber goes on when the block has really
     * ended, and its own exception goes on then.
     *
     * @param onCancel answers call and makes the block end soon, or nil; see {@link PoolJob#guard}
     * @return the block's result; what it raises is raised here
     */
    @JRubyMethod
    public IRubyObject run(ThreadContext context, IRubyObject onCancel, Block block) {
        OffloadedCall call = new OffloadedCall(context, onCancel, block);
        submit(call.job());
        call.await(context, this);
        return call.result();
    }

    /** Runs a block in place; see {@link PoolJob#guard}. */
    @JRubyMethod(meta = true)
    public static IRubyObject guard(ThreadContext context, IRubyObject self, IRubyObject onCancel, Block block) {
        return PoolJob.guard(context, onCancel, block);
    }

    /** Ends the idle threads, and the others with their job. What still waits is never done. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        Set<PoolJob> left;
        synchronized (this) {
            closed = true;
            left = new LinkedHashSet<>(waiting);
            notifyAll();
        }
        left.forEach(job -> job.cancel(context, cancellation(context, "the server stops")));
        return context.nil;
    }

    /** Gives the pool a job. */
    public void submit(PoolJob job) {
        job.enqueue(this);
        synchronized (this) {
            waiting.add(job);
            if (idle >= waiting.size()) {
                notify();
                return;
            }
            if (threads == size) {
                return;
            }
            threads++;
        }
        startThread();
    }

    /** What tells a job that it is cancelled. */
    public static RubyException cancellation(ThreadContext context, String reason) {
        RubyClass type = (RubyClass) context.runtime.getClassFromPath("Jruvoy::Cancelled");
        return RaiseException.from(context.runtime, type, reason).getException();
    }

    /** The job will not be done. */
    synchronized void withdraw(PoolJob job) {
        waiting.remove(job);
    }

    /** Waits for the next job. @return null when the thread shall end */
    synchronized PoolJob take() {
        while (waiting.isEmpty()) {
            if (closed) {
                threads--;
                return null;
            }
            idle++;
            try {
                wait();
            } catch (InterruptedException stray) {
                // Nobody's: interrupts are for jobs.
            } finally {
                idle--;
            }
        }
        Iterator<PoolJob> first = waiting.iterator();
        PoolJob job = first.next();
        first.remove();
        return job;
    }

    /** A thread has ended outside its turn; another one takes its place if there is work for it. */
    void lost() {
        synchronized (this) {
            threads--;
            if (waiting.isEmpty()) {
                return;
            }
            threads++;
        }
        startThread();
    }

    /** Starts a thread that lives until there is no more for it. Any thread. */
    private void startThread() {
        Ruby runtime = getRuntime();
        CompletableFuture<PoolThread> made = new CompletableFuture<>();
        // The thread would inherit the interrupt masks of the one that makes it: that one is new too.
        Thread.ofVirtual().name(title + "-start").start(() -> {
            ThreadContext context = runtime.getCurrentContext();
            try {
                made.complete(new PoolThread(runtime, title, () -> made.join().live(this)));
            } catch (RuntimeException | Error failure) {
                Log.error("a thread could not be started: " + failure);
                LockSupport.parkNanos(RETRY_NANOS);
                lost();
            } finally {
                runtime.getThreadService().unregisterCurrentThread(context);
            }
        });
    }
}
