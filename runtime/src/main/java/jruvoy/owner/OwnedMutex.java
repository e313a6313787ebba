// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyKernel;
import org.jruby.api.Convert;
import org.jruby.exceptions.RaiseException;
import org.jruby.ext.thread.Mutex;
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

    OwnedMutex(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    @Override
    public IRubyObject lock(ThreadContext context) {
        if (tryLock(context)) {
            return this;
        }
        IRubyObject scheduler = Waiting.scheduler(context);
        if (scheduler == null || owned_p(context).isTrue()) {
            return super.lock(context);
        }
        Waiting.until(context, scheduler, waiters, this, Waiting.FOREVER, () -> tryLock(context));
        return this;
    }

    @Override
    public IRubyObject unlock(ThreadContext context) {
        IRubyObject result = super.unlock(context);
        waiters.wakeOne(context);
        return result;
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
