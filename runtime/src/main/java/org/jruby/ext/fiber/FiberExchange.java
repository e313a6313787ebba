// SPDX-License-Identifier: Apache-2.0
package org.jruby.ext.fiber;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import org.jruby.RubyBasicObject;
import org.jruby.RubyException;
import org.jruby.RubyThread;
import org.jruby.exceptions.ThreadKill;
import org.jruby.ext.fiber.ThreadFiber.FiberData;
import org.jruby.ext.fiber.ThreadFiber.FiberRequest;
import org.jruby.ext.fiber.ThreadFiber.RequestType;
import org.jruby.java.proxies.JavaProxy;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Switches between fibers as a scheduler needs it. It sits in JRuby's package because the state of a fiber is
 * package-private; everything else of ours stays outside.
 *
 * <p>Two things differ from JRuby's own {@code Fiber#transfer} and {@code Fiber#raise}. A fiber that was resumed by
 * another one (an Enumerator that sleeps in {@code next}) keeps answering to it when the loop transfers back into it.
 * And an exception is delivered by transfer where the fiber waits in a transfer, so that it can wait again afterwards;
 * it is raised by the receiver itself, with the receiver's backtrace.
 *
 * <p>Nor does an exception of another thread end the wait of a fiber that has switched to another one, which still has
 * control: it is raised when the fiber goes on. A fiber that nobody can resume any more, such as that of an Enumerator
 * that was left half-way, is collected by JRuby, which raises its end in the root fiber: it is taken away there.
 *
 * <p>Thread: the Ruby thread that owns the fibers.
 */
public final class FiberExchange {
    private static final VarHandle PENDING;
    private static final VarHandle WAITED_FOR;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(RubyThread.class, MethodHandles.lookup());
            PENDING = lookup.findVarHandle(RubyThread.class, "pendingInterruptQueue", Queue.class);
            WAITED_FOR = lookup.findVarHandle(RubyThread.class, "unblockArg", Object.class);
        } catch (ReflectiveOperationException changed) {
            throw new ExceptionInInitializerError(changed);
        }
    }

    private FiberExchange() {}

    /** Loads this class, which fails with a LinkageError when JRuby's insides are not there. */
    public static void verify() {}

    /**
     * Runs another fiber until control comes back to the caller.
     *
     * @param target the fiber to run
     * @param value what its own switch returns there
     * @return what the caller is switched back with
     */
    public static IRubyObject transfer(ThreadContext context, ThreadFiber target, IRubyObject value) {
        FiberData data = target.data;
        FiberData current = context.getFiber().data;
        check(context, target, data, current);
        if (data == current) {
            return value;
        }
        if (data.prev == null) {
            data.transferredTo = true;
        }
        return exchange(context, current, data, new FiberRequest(value, RequestType.DATA));
    }

    /**
     * Raises an exception in a fiber, at its innermost wait, and runs it until control comes back.
     *
     * @return what the caller is switched back with
     */
    public static IRubyObject raise(ThreadContext context, ThreadFiber fiber, IRubyObject exception) {
        ThreadFiber target = innermost(fiber);
        FiberData data = target.data;
        if (!waitsInTransfer(context, target, data) || !(exception instanceof RubyException error)) {
            return target.raise(context, exception);
        }
        if (data.prev == null) {
            data.transferredTo = true;
        }
        return exchange(
                context, context.getFiber().data, data, new FiberRequest(new Delivery(error), RequestType.RAISE));
    }

    /** Whether the fiber has neither ended nor been given up. */
    public static boolean alive(ThreadFiber fiber) {
        return fiber.alive();
    }

    /**
     * Whether the fiber is the one of its thread that runs, or waits for something that blocks the whole thread. Any
     * thread; true only for a moment.
     */
    public static boolean isRunning(ThreadFiber fiber) {
        FiberData data = fiber.data;
        return data != null
                && data.started
                && !data.transferred
                && !data.yielding
                && data.resumingFiber == null
                && fiber.alive();
    }

    /**
     * Has a thread's own fiber told when another one is about to give it control. The thread itself, before its first
     * switch.
     *
     * @param before runs in the fiber that gives the control, while it still has it
     */
    public static void returnsBy(ThreadFiber root, Runnable before) {
        root.data.queue.queue = new ReturnQueue(before);
    }

    /**
     * Raises an exception in the fiber that was resumed from a thread's root fiber, if that one waits by a wait of Ruby
     * of its own. Any thread, while the fiber cannot give control back.
     *
     * @return the fiber's thread; null when it does not wait, or only for control
     */
    public static RubyThread raiseWhereItSleeps(ThreadFiber root, RubyException exception) {
        ThreadFiber target = innermost(root);
        RubyThread thread = target == root ? null : target.getThread();
        if (thread == null
                || WAITED_FOR.getVolatile(thread) instanceof FiberQueue
                || !thread.isAlive()
                || !thread.stop_p(thread.getContext()).isTrue()) {
            return null;
        }
        thread.raise(exception);
        return thread;
    }

    /**
     * Takes back what a thread has not raised yet. Any thread, while no other raises it there.
     *
     * @return false when it has raised it
     */
    public static boolean takeBack(RubyThread thread, RubyException exception) {
        return pending(thread).remove(exception);
    }

    /** Takes away what the end of fibers that were collected has raised in a fiber. Its own thread, and its carrier. */
    public static void forgetCollected(ThreadFiber fiber) {
        forgetCollected(fiber.getThread());
    }

    /** Empties what a pooled fiber inherited or stored in {@code Fiber[]}, without the warning of Fiber#storage=. */
    public static void clearStorage(ThreadFiber fiber) {
        fiber.storage = null;
    }

    /** The fiber that really waits when others were resumed from this one: an exception must reach that one. */
    private static ThreadFiber innermost(ThreadFiber fiber) {
        ThreadFiber at = fiber;
        for (FiberData data = at.data; data != null && data.resumingFiber != null; data = at.data) {
            at = data.resumingFiber;
        }
        return at;
    }

    private static boolean waitsInTransfer(ThreadContext context, ThreadFiber target, FiberData data) {
        return data != null
                && data.started
                && !data.yielding
                && target.alive()
                && target != context.getFiber()
                && data.parent == context.getFiberCurrentThread();
    }

    private static void check(ThreadContext context, ThreadFiber target, FiberData data, FiberData current) {
        if (!target.alive()) {
            throw context.runtime.newFiberError("attempt to transfer to a terminated fiber");
        }
        if (data.resumingFiber != null) {
            throw context.runtime.newFiberError("attempt to transfer to a resuming fiber");
        }
        if (data.yielding) {
            throw context.runtime.newFiberError("attempt to transfer to a yielding fiber");
        }
        if (data != current && data.parent != context.getFiberCurrentThread()) {
            throw context.runtime.newFiberError("fiber called across threads");
        }
    }

    private static IRubyObject exchange(
            ThreadContext context, FiberData current, FiberData target, FiberRequest request) {
        FiberRequest answer;
        boolean blocking = current.blocking;
        if (blocking) {
            context.getFiberCurrentThread().decrementBlocking();
        }
        current.transferred = true;
        try {
            give(context, target, request);
            answer = take(context, current);
        } finally {
            if (blocking) {
                context.getFiberCurrentThread().incrementBlocking();
            }
            current.transferred = false;
        }
        if (answer.type == RequestType.RAISE) {
            throw answer.data instanceof Delivery delivery ? delivery.receive(context) : (RuntimeException) answer.data;
        }
        return answer.data == RubyBasicObject.NEVER ? context.nil : (IRubyObject) answer.data;
    }

    /** Nothing waits here, so that nothing can be interrupted: who is switched to has taken what it was given before. */
    private static void give(ThreadContext context, FiberData target, FiberRequest request) {
        if (!target.queue.getQueueSafe().offer(request)) {
            throw context.runtime.newFiberError("attempt to transfer to a fiber that is switched to already");
        }
    }

    /**
     * Waits for the switch back, unless the fiber is collected. Whatever interrupts the thread meanwhile ends no wait
     * here, but the next one.
     */
    private static FiberRequest take(ThreadContext context, FiberData current) {
        BlockingQueue<FiberRequest> queue = current.queue.getQueueSafe();
        FiberRequest answer = null;
        boolean early = false;
        while (answer == null) {
            try {
                answer = queue.take();
            } catch (InterruptedException interrupted) {
                if (current.queue.isShutdown()) {
                    // Nobody waits for its end: a fiber without state leads nowhere.
                    current.prev = new ThreadFiber(context.runtime, context.runtime.getFiber());
                    throw new ThreadKill();
                }
                early = true;
            }
        }
        if (early) {
            Thread.currentThread().interrupt();
        }
        forgetCollected(context.getThread());
        return answer;
    }

    private static void forgetCollected(RubyThread thread) {
        Queue<IRubyObject> pending = pending(thread);
        if (!pending.isEmpty()) {
            pending.removeIf(event -> event instanceof JavaProxy proxy && proxy.getObject() instanceof ThreadKill);
        }
    }

    @SuppressWarnings("unchecked")
    private static Queue<IRubyObject> pending(RubyThread thread) {
        return (Queue<IRubyObject>) PENDING.get(thread);
    }

    /** An exception on its way to the fiber that will raise it. */
    private static final class Delivery extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient RubyException error;

        Delivery(RubyException error) {
            super(null, null, false, false);
            this.error = error;
        }

        RuntimeException receive(ThreadContext context) {
            error.prepareBacktrace(context);
            return error.toThrowable();
        }
    }
}
