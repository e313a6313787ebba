// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.jruby.api.Convert.asBoolean;
import static org.jruby.api.Convert.asFloat;

import java.util.Comparator;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.RubyProc;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * A block that is to be called at a certain time, unless it is cancelled before; in Ruby Jruvoy::Timers::Timer.
 *
 * <p>Thread: the owner.
 */
public final class Timer extends RubyObject {
    /** Those of one time in the order in which they were made. */
    static final Comparator<Timer> ORDER =
            Comparator.<Timer>comparingDouble(timer -> timer.time).thenComparingLong(timer -> timer.number);

    private static final long serialVersionUID = 1L;

    private final transient Timers timers;
    private final double time;
    private final long number;
    /** Null when cancelled. */
    private transient RubyProc block;
    /** In the queue of the timers. */
    transient boolean queued;

    Timer(ThreadContext context, RubyClass type, Timers timers, double time, long number, RubyProc block) {
        super(context.runtime, type);
        this.timers = timers;
        this.time = time;
        this.number = number;
        this.block = block;
    }

    /** Seconds of the monotonic clock at which the block is to be called. */
    @JRubyMethod
    public IRubyObject time(ThreadContext context) {
        return asFloat(context, time);
    }

    /** What is to be called, or nil when that was cancelled. */
    @JRubyMethod
    public IRubyObject block(ThreadContext context) {
        return block == null ? context.nil : block;
    }

    /** Makes sure that the block will not be called, any more or again. */
    @JRubyMethod(name = "cancel!")
    public IRubyObject cancel(ThreadContext context) {
        if (block != null) {
            block = null;
            if (queued) {
                timers.cancelled();
            }
        }
        return context.nil;
    }

    /** Whether the block will not be called. */
    @JRubyMethod(name = "cancelled?")
    public IRubyObject isCancelled(ThreadContext context) {
        return asBoolean(context, block == null);
    }

    boolean isCancelled() {
        return block == null;
    }

    double time() {
        return time;
    }

    void fire(ThreadContext context, IRubyObject now) {
        block.call(context, new IRubyObject[] {now});
    }
}
