// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.jruby.api.Convert.asFixnum;
import static org.jruby.api.Convert.asFloat;
import static org.jruby.api.Convert.toDouble;
import static org.jruby.api.Error.argumentError;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.RubyProc;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The timers of an owner's scheduler, in Ruby Jruvoy::Timers; it answers to what Async asks of IO::Event::Timers, whose
 * queue in Ruby took a fifth of an owner whose requests sleep. Times are seconds of the monotonic clock.
 *
 * <p>Most timers are cancelled soon, because what they limit has come in time: they wait beside the queue until the loop
 * asks next, and when it does most of them are gone. One that is cancelled in the queue stays there until its time, or
 * until half of the queue is like it.
 *
 * <p>Thread: the owner.
 */
public final class Timers extends RubyObject {
    private static final long serialVersionUID = 1L;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Fewer are not worth a walk through all. */
    private static final int CANCELLED_MIN = 128;

    private final transient PriorityQueue<Timer> queue = new PriorityQueue<>(Timer.ORDER);
    private final transient List<Timer> arrivals = new ArrayList<>();
    private final transient RubyClass timer;
    private long made;
    /** How many of the queue are. */
    private int cancelled;

    Timers(Ruby runtime, RubyClass type) {
        super(runtime, type);
        timer = type.getClass(runtime.getCurrentContext(), "Timer");
    }

    /** Seconds of the monotonic clock. */
    @JRubyMethod
    public IRubyObject now(ThreadContext context) {
        return asFloat(context, seconds());
    }

    /** How many are waiting. */
    @JRubyMethod
    public IRubyObject size(ThreadContext context) {
        flush();
        return asFixnum(context, queue.size() - cancelled);
    }

    /**
     * Lets a block be called some time from now.
     *
     * @param offset seconds
     * @return the Timer
     */
    @JRubyMethod
    public IRubyObject after(ThreadContext context, IRubyObject offset, Block block) {
        RubyProc call = RubyProc.newProc(context.runtime, block, Block.Type.PROC);
        return add(context, seconds() + toDouble(context, offset), call);
    }

    /**
     * Lets a block be called at a time.
     *
     * @param time seconds of {@link #now}
     * @param block a Proc
     * @return the Timer
     */
    @JRubyMethod
    public IRubyObject schedule(ThreadContext context, IRubyObject time, IRubyObject block) {
        return add(context, toDouble(context, time), (RubyProc) block);
    }

    /** Seconds until the next block is to be called, negative when that is late; nil when there is none. */
    @JRubyMethod(name = "wait_interval")
    public IRubyObject waitInterval(ThreadContext context) {
        flush();
        Timer next = first();
        return next == null ? context.nil : asFloat(context, next.time() - seconds());
    }

    /** Calls the blocks whose time has come by now. Those that they add wait for the next call. */
    @JRubyMethod
    public IRubyObject fire(ThreadContext context) {
        flush();
        double now = seconds();
        for (Timer next = first(); next != null && next.time() <= now; next = first()) {
            queue.poll();
            next.queued = false;
            next.fire(context, asFloat(context, now));
        }
        return context.nil;
    }

    /** A timer of the queue is. */
    void cancelled() {
        cancelled++;
    }

    private IRubyObject add(ThreadContext context, double time, RubyProc block) {
        if (!Double.isFinite(time)) {
            throw argumentError(context, "Timer time must be finite: " + time);
        }
        Timer added = new Timer(context, timer, this, time, made++, block);
        arrivals.add(added);
        return added;
    }

    private void flush() {
        for (Timer arrival : arrivals) {
            if (!arrival.isCancelled()) {
                arrival.queued = true;
                queue.add(arrival);
            }
        }
        arrivals.clear();
        if (cancelled >= CANCELLED_MIN && 2 * cancelled > queue.size()) {
            queue.removeIf(Timer::isCancelled);
            cancelled = 0;
        }
    }

    /** The next one that is not cancelled, or null. */
    private Timer first() {
        Timer next = queue.peek();
        while (next != null && next.isCancelled()) {
            queue.poll();
            cancelled--;
            next = queue.peek();
        }
        return next;
    }

    private static double seconds() {
        return System.nanoTime() / NANOS_PER_SECOND;
    }
}
