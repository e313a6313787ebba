// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyNumeric;
import org.jruby.api.Convert;
import org.jruby.ext.thread.Queue;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Thread::Queue, for which a fiber waits by its scheduler.
 *
 * <p>Thread: any.
 */
final class OwnedQueue extends Queue {
    private static final long serialVersionUID = 1L;

    private final transient Waiters takers = new Waiters();

    OwnedQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    @Override
    public IRubyObject pop(ThreadContext context) {
        IRubyObject scheduler = Waiting.scheduler(context);
        return scheduler == null ? super.pop(context) : take(context, scheduler, this, takers, Waiting.FOREVER);
    }

    @Override
    public IRubyObject pop(ThreadContext context, IRubyObject argument) {
        IRubyObject scheduler = Waiting.scheduler(context);
        QueueOptions options = scheduler == null ? null : QueueOptions.of(context, argument);
        return options == null || options.nonBlock()
                ? super.pop(context, argument)
                : take(context, scheduler, this, takers, options.nanos());
    }

    @Override
    public IRubyObject pop(ThreadContext context, IRubyObject nonBlock, IRubyObject keywords) {
        IRubyObject scheduler = nonBlock.isTrue() ? null : Waiting.scheduler(context);
        return scheduler == null
                ? super.pop(context, nonBlock, keywords)
                : take(
                        context,
                        scheduler,
                        this,
                        takers,
                        QueueOptions.of(context, nonBlock, keywords).nanos());
    }

    @Override
    public RubyNumeric num_waiting(ThreadContext context) {
        return Convert.asFixnum(context, super.num_waiting(context).asLong(context) + takers.size());
    }

    @Override
    protected void putInternal(ThreadContext context, IRubyObject value) throws InterruptedException {
        PoolThread.undisturbed(context, () -> {
            super.putInternal(context, value);
            return this;
        });
        takers.wakeOne(context);
    }

    @Override
    protected void closeInternal() throws InterruptedException {
        ThreadContext context = getRuntime().getCurrentContext();
        PoolThread.undisturbed(context, () -> {
            super.closeInternal();
            return this;
        });
        takers.wakeAll(context);
    }

    @Override
    protected void clearInternal() throws InterruptedException {
        PoolThread.undisturbed(getRuntime().getCurrentContext(), () -> {
            super.clearInternal();
            return this;
        });
    }

    @Override
    public IRubyObject pollInternal() throws InterruptedException {
        return PoolThread.undisturbed(getRuntime().getCurrentContext(), super::pollInternal);
    }

    /**
     * Takes the oldest value of a queue, parking the calling fiber while there is none.
     *
     * @return the value, or nil when the queue is closed or the time has passed
     */
    static IRubyObject take(ThreadContext context, IRubyObject scheduler, Queue queue, Waiters takers, long nanos) {
        queue.empty_p(context); // raises when the queue was not initialized
        IRubyObject[] taken = new IRubyObject[1];
        Waiting.until(context, scheduler, takers, queue, nanos, () -> {
            taken[0] = poll(context, queue);
            return taken[0] != null || queue.isShutdown();
        });
        // The last value may have come between the look at the queue and the look at its end.
        IRubyObject value = taken[0] == null ? poll(context, queue) : taken[0];
        return value == null ? context.nil : value;
    }

    private static IRubyObject poll(ThreadContext context, Queue queue) {
        try {
            return queue.pollInternal();
        } catch (InterruptedException interrupted) {
            throw context.runtime.newThreadError("interrupted in Queue#pop");
        }
    }
}
