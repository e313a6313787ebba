// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyThread;
import org.jruby.anno.JRubyMethod;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Replaces Fiber#transfer and Fiber#raise of JRuby by {@link FiberExchange}, for every fiber: Async calls them itself,
 * from its timers and its cancellation.
 *
 * <p>Thread: the Ruby thread that owns the fibers.
 */
public final class FiberRepair {
    private FiberRepair() {}

    /** Binds the methods. @param fiber the class Fiber */
    static void install(ThreadContext context, RubyClass fiber) {
        fiber.defineMethods(context, FiberRepair.class);
    }

    /** Fiber#transfer without a value. */
    @JRubyMethod(name = "transfer")
    public static IRubyObject transfer(ThreadContext context, IRubyObject fiber) {
        return FiberExchange.transfer(context, (ThreadFiber) fiber, context.nil);
    }

    /** Fiber#transfer with a value. */
    @JRubyMethod(name = "transfer")
    public static IRubyObject transfer(ThreadContext context, IRubyObject fiber, IRubyObject value) {
        return FiberExchange.transfer(context, (ThreadFiber) fiber, value);
    }

    /** Fiber#transfer with any number of values; also for what stands for a fiber in Async. */
    @JRubyMethod(name = "transfer", rest = true)
    public static IRubyObject transfer(ThreadContext context, IRubyObject fiber, IRubyObject[] values) {
        if (!(fiber instanceof ThreadFiber target)) {
            return fiber.callMethod(context, "transfer", values);
        }
        return switch (values.length) {
            case 0 -> FiberExchange.transfer(context, target, context.nil);
            case 1 -> FiberExchange.transfer(context, target, values[0]);
            default -> FiberExchange.transfer(context, target, RubyArray.newArrayMayCopy(context.runtime, values));
        };
    }

    /** Fiber#raise. */
    @JRubyMethod(name = "raise", optional = 4, checkArity = false, keywords = true)
    public static IRubyObject raise(ThreadContext context, IRubyObject fiber, IRubyObject[] arguments) {
        return FiberExchange.raise(context, (ThreadFiber) fiber, RubyThread.prepareRaiseException(context, arguments));
    }
}
