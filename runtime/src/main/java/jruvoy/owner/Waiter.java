// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.concurrent.locks.LockSupport;
import org.jruby.FiberScheduler;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * One wait of one fiber or thread for one primitive. A scheduler is asked to unblock the wait, not the fiber: when the
 * fiber has gone on for another reason, the late wake finds a wait that is over and does nothing.
 *
 * <p>In Ruby it stands for its fiber: it answers alive? and transfer.
 *
 * <p>Thread: {@link #state} is guarded by the {@link Waiters} that hold it, and read without by a waiting thread.
 */
public final class Waiter extends RubyObject {
    private static final long serialVersionUID = 1L;

    /** Where a wait stands. */
    enum State {
        /** In the list. */
        WAITING,
        /** Taken out by the one who wakes. */
        WOKEN,
        /** The waiter has gone on. */
        OVER
    }

    /** Null when a thread waits. */
    private final transient IRubyObject scheduler;

    private final transient IRubyObject blocker;
    private final transient ThreadFiber fiber;
    private final transient Thread thread;
    transient volatile State state = State.WAITING;

    private Waiter(ThreadContext context, IRubyObject scheduler, IRubyObject blocker) {
        super(context.runtime, type(context));
        this.scheduler = scheduler;
        this.blocker = blocker;
        fiber = scheduler == null ? null : context.getFiber();
        thread = scheduler == null ? Thread.currentThread() : null;
    }

    /** A wait of the calling fiber, which its scheduler parks. */
    static Waiter ofFiber(ThreadContext context, IRubyObject scheduler, IRubyObject blocker) {
        return new Waiter(context, scheduler, blocker);
    }

    /** A wait of the calling thread, which parks itself. */
    static Waiter ofThread(ThreadContext context, IRubyObject blocker) {
        return new Waiter(context, null, blocker);
    }

    /** Tells the waiter to go on. Any thread; the state has been set before. */
    void unblock(ThreadContext context) {
        if (scheduler == null) {
            LockSupport.unpark(thread);
        } else {
            FiberScheduler.unblock(context, scheduler, blocker, this);
        }
    }

    /** The wait as the selector queues it. */
    ReadyEntry wake() {
        return new ReadyEntry() {
            @Override
            void run(ThreadContext context) {
                if (isWaited()) {
                    FiberExchange.transfer(context, fiber, context.nil);
                }
            }
        };
    }

    /** Whether the fiber still waits for this. */
    @JRubyMethod(name = "alive?")
    public IRubyObject isAlive(ThreadContext context) {
        return isWaited() ? context.tru : context.fals;
    }

    /** Goes on with the fiber, if it still waits for this. */
    @JRubyMethod(rest = true)
    public IRubyObject transfer(ThreadContext context, IRubyObject[] ignored) {
        return isWaited() ? FiberExchange.transfer(context, fiber, context.nil) : context.nil;
    }

    private boolean isWaited() {
        return state != State.OVER && FiberExchange.alive(fiber);
    }

    private static RubyClass type(ThreadContext context) {
        return OwnerLibrary.of(context).waiter();
    }
}
