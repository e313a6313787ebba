// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.RubyThread;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * A selector together with the Ruby thread whose fibers it runs: who is that thread may touch the owner's streams,
 * everybody else asks it to.
 *
 * <p>Thread: made on the owner's root fiber; methods any, unless they say more.
 */
public final class OwnerLoop {
    private final OwnerSelector selector;
    private final RubyThread thread;
    private final ThreadContext root;

    /** The loop of the calling thread. */
    public OwnerLoop(ThreadContext context, OwnerSelector selector) {
        this.selector = selector;
        thread = context.getFiberCurrentThread();
        root = context;
    }

    /** Whether the caller is the owner: its loop or one of its fibers. */
    public boolean isCurrent(ThreadContext context) {
        return context.getFiberCurrentThread() == thread;
    }

    /**
     * Does a task on the owner, at once or in its next turn, and waits for it; what it throws is thrown here.
     *
     * @throws org.jruby.exceptions.RaiseException IOError when the loop has ended
     */
    public void call(ThreadContext context, Runnable task) {
        if (!attempt(context, task)) {
            throw ended(context);
        }
    }

    /** As {@link #call}. @return false when the loop has ended: nothing was done then, unless the owner itself calls */
    public boolean attempt(ThreadContext context, Runnable task) {
        if (isCurrent(context)) {
            task.run();
            return true;
        }
        return OwnerCall.run(context, selector, task);
    }

    /** Parks the calling fiber. Owner only. @return what it is switched back with */
    public IRubyObject park(ThreadContext context) {
        return selector.park(context);
    }

    /** Runs a fiber until it parks. On the loop's root fiber only. */
    public IRubyObject transfer(IRubyObject fiber, IRubyObject value) {
        return selector.transfer(root, fiber, value);
    }

    /** Runs a fiber in the next turn. */
    public void push(IRubyObject fiber) {
        selector.push(fiber);
    }

    void push(ReadyEntry entry) {
        selector.push(entry);
    }

    /** Nothing is done for other threads any more; those that wait are told. Owner only, after its last turn. */
    void end() {
        selector.end();
    }

    /** What is raised elsewhere for a stream whose loop has ended, as for one that is over; the caller may go on. */
    RaiseException ended(ThreadContext context) {
        return context.runtime.newIOError("the stream's owner has ended");
    }

    /** What tells of the loop's turns. */
    OwnerPulse.Source pulse() {
        return selector.pulse();
    }

    /** The Ruby thread of the loop. */
    RubyThread thread() {
        return thread;
    }

    /** The context of the loop's root fiber. */
    public ThreadContext root() {
        return root;
    }
}
