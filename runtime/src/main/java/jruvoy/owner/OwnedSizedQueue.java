// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.concurrent.TimeUnit;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyNumeric;
import org.jruby.api.Convert;
import org.jruby.ext.thread.SizedQueue;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Thread::SizedQueue, for which a fiber waits by its scheduler on both sides: for a value and for room.
 *
 * <p>Thread: any.
 */
final class OwnedSizedQueue extends SizedQueue {
    private static final long serialVersionUID = 1L;

    private final transient Waiters takers = new Waiters();
    private final transient Waiters givers = new Waiters();

    OwnedSizedQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    @Override
    public IRubyObject pop(ThreadContext context) {
        IRubyObject scheduler = Waiting.scheduler(context);
        return scheduler == null
                ? super.pop(context)
                : OwnedQueue.take(context, scheduler, this, takers, Waiting.FOREVER);
    }

    @Override
    public IRubyObject pop(ThreadContext context, IRubyObject argument) {
        IRubyObject scheduler = Waiting.scheduler(context);
        QueueOptions options = scheduler == null ? null : QueueOptions.of(context, argument);
        return options == null || options.nonBlock()
                ? super.pop(context, argument)
                : OwnedQueue.take(context, scheduler, this, takers, options.nanos());
    }

    @Override
    public IRubyObject pop(ThreadContext context, IRubyObject nonBlock, IRubyObject keywords) {
        IRubyObject scheduler = nonBlock.isTrue() ? null : Waiting.scheduler(context);
        return scheduler == null
                ? super.pop(context, nonBlock, keywords)
                : OwnedQueue.take(
                        context,
                        scheduler,
                        this,
                        takers,
                        QueueOptions.of(context, nonBlock, keywords).nanos());
    }

    @Override
    public IRubyObject push(ThreadContext context, IRubyObject value) {
        IRubyObject scheduler = Waiting.scheduler(context);
        return scheduler == null ? super.push(context, value) : give(context, scheduler, value, Waiting.FOREVER);
    }

    @Override
    public IRubyObject push(ThreadContext context, IRubyObject value, IRubyObject argument) {
        IRubyObject scheduler = Waiting.scheduler(context);
        QueueOptions options = scheduler == null ? null : QueueOptions.of(context, argument);
        return options == null || options.nonBlock()
                ? super.push(context, value, argument)
                : give(context, scheduler, value, options.nanos());
    }

    @Override
    public IRubyObject push(ThreadContext context, IRubyObject value, IRubyObject nonBlock, IRubyObject keywords) {
        IRubyObject scheduler = nonBlock.isTrue() ? null : Waiting.scheduler(context);
        return scheduler == null
                ? super.push(context, value, nonBlock, keywords)
                : give(
                        context,
                        scheduler,
                        value,
                        QueueOptions.of(context, nonBlock, keywords).nanos());
    }

    @Override
    public RubyNumeric num_waiting(ThreadContext context) {
        long threads = super.num_waiting(context).asLong(context);
        return Convert.asFixnum(context, threads + takers.size() + givers.size());
    }

    @Override
    public synchronized IRubyObject max_set(ThreadContext context, IRubyObject max) {
        super.max_set(context, max);
        givers.wakeAll(context);
        return max;
    }

    @Override
    protected void putInternal(ThreadContext context, IRubyObject value) throws InterruptedException {
        super.putInternal(context, value);
        takers.wakeOne(context);
    }

    @Override
    protected boolean offerInternal(ThreadContext context, IRubyObject value) {
        boolean given = super.offerInternal(context, value);
        if (given) {
            takers.wakeOne(context);
        }
        return given;
    }

    @Override
    public boolean offerInternal(ThreadContext context, IRubyObject value, long timeout, TimeUnit unit)
            throws InterruptedException {
        boolean given = super.offerInternal(context, value, timeout, unit);
        if (given) {
            takers.wakeOne(context);
        }
        return given;
    }

    @Override
    protected IRubyObject takeInternal(ThreadContext context) throws InterruptedException {
        IRubyObject value = super.takeInternal(context);
        givers.wakeOne(context);
        return value;
    }

    @Override
    public IRubyObject pollInternal() throws InterruptedException {
        return taken(super.pollInternal());
    }

    @Override
    public IRubyObject pollInternal(long timeout, TimeUnit unit) throws InterruptedException {
        return taken(super.pollInternal(timeout, unit));
    }

    @Override
    protected void clearInternal() throws InterruptedException {
        super.clearInternal();
        givers.wakeAll(getRuntime().getCurrentContext());
    }

    @Override
    protected void closeInternal() throws InterruptedException {
        super.closeInternal();
        ThreadContext context = getRuntime().getCurrentContext();
        takers.wakeAll(context);
        givers.wakeAll(context);
    }

    private IRubyObject give(ThreadContext context, IRubyObject scheduler, IRubyObject value, long nanos) {
        initializedCheck(context);
        boolean given = Waiting.until(context, scheduler, givers, this, nanos, () -> {
            if (isShutdown()) {
                raiseClosedError(context);
            }
            return offerInternal(context, value);
        });
        return given ? this : context.nil;
    }

    private IRubyObject taken(IRubyObject value) {
        if (value != null) {
            givers.wakeOne(getRuntime().getCurrentContext());
        }
        return value;
    }
}
