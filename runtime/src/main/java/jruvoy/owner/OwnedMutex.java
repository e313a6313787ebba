// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.Ruby;
import org.jruby.RubyBoolean;
import org.jruby.RubyClass;
import org.jruby.RubyKernel;
import org.jruby.api.Convert;
import org.jruby.exceptions.RaiseException;
import org.jruby.ext.thread.Mutex;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Thread::Mutex, for which a fiber waits by its scheduler. Threads wait as JRuby made them wait; JRuby's own bindings
 * call these methods, so nothing in Ruby is redefined.
 *
 * <p>Thread: any.
 */
final class OwnedMutex extends Mutex {
    private static final long serialVersionUID = 1L;
    private static final long MILLIS_PER_SECOND = 1000;

    private final transient Waiters waiters = new Waiters();
    /** The next one that the same fiber holds by an explicit lock; see {@link HeldLocks}. Owner of the lock only. */
    transient OwnedMutex nextHeld;

    private transient boolean listed;

    OwnedMutex(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    @Override
    public IRubyObject lock(ThreadContext context) {
        acquire(context);
        HeldLocks.add(context, this);
        listed = true;
        return this;
    }

    @Override
    public RubyBoolean try_lock(ThreadContext context) {
        RubyBoolean locked = super.try_lock(context);
        if (locked.isTrue()) {
            HeldLocks.add(context, this);
            listed = true;
        }
        return locked;
    }

    /** A block always unlocks, so the lock need not be remembered for the fiber. */
    @Override
    public IRubyObject synchronize(ThreadContext context, Block block) {
        acquire(context);
        try {
            return block.yieldSpecific(context);
        } finally {
            unlock(context);
        }
    }

    @Override
    public IRubyObject unlock(ThreadContext context) {
        boolean remembered = listed && owned_p(context).isTrue();
        if (remembered) {
            listed = false;
            HeldLocks.remove(context, this);
        }
        IRubyObject result = super.unlock(context);
        waiters.wakeOne(context);
        return result;
    }

    /** Locks, waiting as the caller can, without remembering it for the fiber. */
    void acquire(ThreadContext context) {
        if (tryLock(context)) {
            return;
        }
        IRubyObject scheduler = Waiting.scheduler(context);
        if (scheduler == null || owned_p(context).isTrue()) {
            super.lock(context);
            return;
        }
        Waiting.until(context, scheduler, waiters, this, Waiting.FOREVER, () -> tryLock(context));
    }

    @Override
    public IRubyObject sleep(ThreadContext context, IRubyObject timeout) {
        long start = System.currentTimeMillis();
        unlock(context);
        try {
            if (timeout.isNil()) {
                RubyKernel.sleep(context, this);
            } else {
                RubyKernel.sleep(context, this, timeout);
            }
        } finally {
            lockAgain(context);
        }
        return Convert.asFixnum(context, (System.currentTimeMillis() - start) / MILLIS_PER_SECOND);
    }

    /** Locks after a wait, whatever happens: an exception that arrives meanwhile is raised with the lock held. */
    void lockAgain(ThreadContext context) {
        RaiseException arrived = null;
        while (!owned_p(context).isTrue()) {
            try {
                lock(context);
            } catch (RaiseException exception) {
                arrived = exception;
            }
        }
        if (arrived != null) {
            throw arrived;
        }
    }
}
