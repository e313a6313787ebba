// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * One fiber that waits for one descriptor. Several may wait for the same descriptor, and one fiber for several.
 *
 * <p>Thread: the owner; {@link #closing} is set by the thread that closes the descriptor, under the lock of the
 * {@link Descriptors} that hold the wait.
 */
final class DescriptorWait extends ReadyEntry {
    final ThreadFiber fiber;
    final int fd;
    final int events;
    /** What has happened, in poll's bits; 0 while nothing has. */
    int happened;

    /** The exception to raise in the fiber because the descriptor is being closed, or null. */
    IRubyObject closing;

    /** The fiber does not wait any more: a late event is nothing to it. */
    boolean over;

    /** The next wait of the same descriptor. */
    DescriptorWait following;

    DescriptorWait(ThreadFiber fiber, int fd, int events) {
        this.fiber = fiber;
        this.fd = fd;
        this.events = events;
    }

    /** The events that the waiter asked for and has got; an error or hang-up counts as all of them. */
    int result() {
        return (happened & (Libc.POLLERR | Libc.POLLHUP)) != 0 ? events : happened & events;
    }

    @Override
    void run(ThreadContext context) {
        if (over || !FiberExchange.alive(fiber)) {
            return;
        }
        if (closing != null) {
            FiberExchange.raise(context, fiber, closing);
        } else {
            FiberExchange.transfer(context, fiber, context.nil);
        }
    }
}
