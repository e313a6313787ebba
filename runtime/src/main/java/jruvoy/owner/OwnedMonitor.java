// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.Ruby;
import org.jruby.RubyBoolean;
import org.jruby.RubyClass;
import org.jruby.api.Convert;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.ext.monitor.Monitor;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Monitor over an {@link OwnedMutex}: JRuby's own keeps a private lock that a fiber cannot wait for. Owned by a fiber,
 * as on CRuby.
 *
 * <p>Thread: any; the count is touched by the owner of the lock only.
 */
final class OwnedMonitor extends Monitor {
    private static final long serialVersionUID = 1L;

    private final transient OwnedMutex mutex;
    private transient volatile ThreadFiber owner;
    private transient long count;

    OwnedMonitor(Ruby runtime, RubyClass type) {
        super(runtime, type);
        mutex = new OwnedMutex(runtime, runtime.getMutex());
    }

    @Override
    public RubyBoolean try_enter(ThreadContext context) {
        if (!isOwned(context)) {
            if (!mutex.tryLock(context)) {
                return context.fals;
            }
            own(context, 0);
        }
        count++;
        return context.tru;
    }

    @Override
    public IRubyObject enter(ThreadContext context) {
        if (!isOwned(context)) {
            mutex.lock(context);
            own(context, 0);
        }
        count++;
        return context.nil;
    }

    /** A block always leaves, so the lock need not be remembered for the fiber. */
    @Override
    public IRubyObject synchronize(ThreadContext context, Block block) {
        if (!isOwned(context)) {
            mutex.acquire(context);
            own(context, 0);
        }
        count++;
        try {
            return block.yieldSpecific(context);
        } finally {
            exit(context);
        }
    }

    @Override
    public IRubyObject exit(ThreadContext context) {
        mon_check_owner(context);
        if (--count == 0) {
            owner = null;
            mutex.unlock(context);
        }
        return context.nil;
    }

    @Override
    public IRubyObject mon_locked_p(ThreadContext context) {
        return mutex.locked_p(context);
    }

    @Override
    public IRubyObject mon_check_owner(ThreadContext context) {
        if (!isOwned(context)) {
            throw context.runtime.newThreadError("current thread not owner");
        }
        return context.nil;
    }

    @Override
    public RubyBoolean mon_owned_p(ThreadContext context) {
        return Convert.asBoolean(context, isOwned(context));
    }

    @Override
    public IRubyObject wait_for_cond(ThreadContext context, IRubyObject condition, IRubyObject timeout) {
        long entered = count;
        owner = null;
        try {
            condition.callMethod(context, "wait", new IRubyObject[] {mutex, timeout});
            return context.tru;
        } finally {
            own(context, entered);
        }
    }

    private boolean isOwned(ThreadContext context) {
        // A lock that HeldLocks took from its fiber is not the fiber's any more.
        return owner == context.getFiber() && mutex.owned_p(context).isTrue();
    }

    private void own(ThreadContext context, long entered) {
        owner = context.getFiber();
        count = entered;
    }
}
