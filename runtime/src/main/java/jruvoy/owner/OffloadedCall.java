// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.RubyProc;
import org.jruby.exceptions.RaiseException;
import org.jruby.exceptions.ThreadKill;
import org.jruby.ir.runtime.IRBreakJump;
import org.jruby.runtime.Block;
import org.jruby.runtime.Helpers;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * A block that a thread of a pool runs while a fiber waits for its end.
 *
 * <p>Thread: the fiber's, except {@link #work} and {@link #ended} (the pool's).
 */
final class OffloadedCall {
    private final PoolJob job = new PoolJob(this::work, this::ended);
    private final Waiters waiters = new Waiters();
    private final ThreadContext callerContext;
    private final IRubyObject onCancel;
    private final RubyProc proc;
    /** Written by the pool's thread before the job has ended, read after. */
    private IRubyObject result;

    private Throwable failure;

    OffloadedCall(ThreadContext context, IRubyObject onCancel, Block block) {
        callerContext = context;
        result = context.nil;
        this.onCancel = onCancel;
        proc = context.runtime.newProc(Block.Type.THREAD, block);
    }

    PoolJob job() {
        return job;
    }

    /**
     * Parks the calling fiber until the job has ended. What interrupts it cancels the job and is thrown when that has
     * ended; what comes after that is for nobody: the fiber is on its way out.
     */
    void await(ThreadContext context, IRubyObject blocker) {
        IRubyObject scheduler = Waiting.scheduler(context);
        try {
            Waiting.until(context, scheduler, waiters, blocker, Waiting.FOREVER, job::hasEnded);
        } catch (RaiseException interrupted) {
            job.cancel(context, ThreadPool.cancellation(context, interrupted.getMessage()));
            while (!job.hasEnded()) {
                try {
                    Waiting.until(context, scheduler, waiters, blocker, Waiting.FOREVER, job::hasEnded);
                } catch (RaiseException again) {
                    continue;
                }
            }
            throw interrupted;
        }
    }

    /** What the block returned. Throws what it threw. */
    IRubyObject result() {
        if (failure != null) {
            Helpers.throwException(failure);
        }
        return result;
    }

    private void work(ThreadContext context) {
        context.getFiber().inheritFiberStorage(callerContext);
        try {
            result = PoolJob.guard(context, onCancel, proc.getBlock());
        } catch (IRBreakJump jump) {
            failure = Helpers.newLocalJumpErrorForBreak(context.runtime, jump.breakValue);
        } catch (ThreadKill kill) {
            throw kill; // The thread's end, not the fiber's. The result is nil, as of a Thread that was killed.
        } catch (Throwable thrown) { // Ruby throws what Java calls checked, too.
            failure = thrown;
        }
    }

    private void ended(ThreadContext context) {
        waiters.wakeAll(context);
    }
}
