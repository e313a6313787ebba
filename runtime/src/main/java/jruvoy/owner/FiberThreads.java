// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.FiberScheduler;
import org.jruby.RubyClass;
import org.jruby.RubyException;
import org.jruby.RubyModule;
import org.jruby.RubyThread;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Access;
import org.jruby.exceptions.RaiseException;
import org.jruby.exceptions.ThreadKill;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Thread#raise, #kill, #wakeup and #run aimed at the Thread object of a fiber, which on JRuby is the fiber's own. JRuby
 * would interrupt the fiber beside the loop that runs it, and so end the loop; here its scheduler delivers the exception
 * or the wake.
 *
 * <p>Thread: any.
 */
public final class FiberThreads {
    private FiberThreads() {}

    /** Binds the methods. @param thread the class Thread */
    static void install(ThreadContext context, RubyClass thread) {
        thread.defineMethods(context, FiberThreads.class);
    }

    /** Thread#raise. */
    @JRubyMethod(name = "raise", optional = 4, checkArity = false, keywords = true)
    public static IRubyObject raise(ThreadContext context, IRubyObject self, IRubyObject[] arguments) {
        RubyThread target = (RubyThread) self;
        RubyThread parent = target.getFiberCurrentThread();
        if (target == context.getThread() || !isScheduled(target, parent)) {
            return target.raise(context, arguments, Block.NULL_BLOCK);
        }
        return interrupt(context, target, parent, RubyThread.prepareRaiseException(context, arguments));
    }

    /** Thread#kill. */
    @JRubyMethod(name = {"kill", "exit", "terminate"})
    public static IRubyObject kill(ThreadContext context, IRubyObject self) {
        RubyThread target = (RubyThread) self;
        RubyThread parent = target.getFiberCurrentThread();
        if (target == context.getThread() || !isScheduled(target, parent)) {
            return target.kill();
        }
        interrupt(context, target, parent, killed(context));
        return target;
    }

    /** Thread#wakeup. */
    @JRubyMethod(name = "wakeup")
    public static IRubyObject wakeup(ThreadContext context, IRubyObject self) {
        RubyThread target = (RubyThread) self;
        RubyThread parent = target.getFiberCurrentThread();
        if (target == context.getThread() || !isScheduled(target, parent)) {
            return target.wakeup();
        }
        ThreadFiber fiber = target.getContext().getFiber();
        FiberScheduler.unblock(context, parent.getScheduler(), context.nil, fiber);
        return target;
    }

    /** Thread#run. */
    @JRubyMethod(name = "run")
    public static IRubyObject run(ThreadContext context, IRubyObject self) {
        wakeup(context, self);
        return RubyThread.pass(context, self);
    }

    /**
     * Runs a block of a fiber. When the fiber ends by Thread.exit, that becomes the end of its task: JRuby would carry
     * it on to the fiber that is switched to, which is the loop.
     */
    static IRubyObject contain(ThreadContext context, Block block) {
        try {
            return block.yieldSpecific(context);
        } catch (ThreadKill ended) {
            throw ((RubyException) killed(context)).toThrowable();
        }
    }

    /** Async ends a task by this exception without calling it a failure. */
    private static IRubyObject killed(ThreadContext context) {
        RubyModule async = Access.objectClass(context).getModule(context, "Async");
        RubyClass cancel = async == null ? null : async.getClass(context, "Cancel");
        RubyClass type = cancel == null ? Access.exceptionClass(context) : cancel;
        return RaiseException.from(context.runtime, type, "the fiber's thread was killed")
                .getException();
    }

    private static boolean isScheduled(RubyThread target, RubyThread parent) {
        return parent != target && target.isAlive() && !parent.getScheduler().isNil();
    }

    private static IRubyObject interrupt(
            ThreadContext context, RubyThread target, RubyThread parent, IRubyObject exception) {
        ThreadFiber fiber = target.getContext().getFiber();
        parent.getScheduler().callMethod(context, "fiber_interrupt", new IRubyObject[] {fiber, exception});
        return context.nil;
    }
}
