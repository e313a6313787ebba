// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Something that the loop shall run in its next turn: an entry of the {@link ReadyList}, linked through itself.
 *
 * <p>Thread: made and pushed by any thread, run by the owner. An entry may be in a list once at a time.
 */
abstract class ReadyEntry {
    /** Owned by the list that holds the entry. */
    ReadyEntry next;

    /** Does the work; called on the loop's root fiber. What it throws ends the turn and reaches the scheduler. */
    abstract void run(ThreadContext context);

    /** The loop has ended and will never run this: who waits for it must be told. Any thread. */
    void abandon() {}

    /** Anything that a scheduler may push: a fiber, or an object that answers alive? and transfer. */
    static ReadyEntry of(IRubyObject target) {
        return target instanceof ThreadFiber fiber ? new OfFiber(fiber) : new OfObject(target);
    }

    /** A fiber to go on with. The owner may take it back by clearing it, when it was switched to by other means. */
    static final class OfFiber extends ReadyEntry {
        private ThreadFiber fiber;

        OfFiber(ThreadFiber fiber) {
            this.fiber = fiber;
        }

        void clear() {
            fiber = null;
        }

        @Override
        void run(ThreadContext context) {
            ThreadFiber target = fiber;
            if (target != null && FiberExchange.alive(target)) {
                FiberExchange.transfer(context, target, context.nil);
            }
        }
    }

    /** What stands for a fiber in Async, such as an interrupt on its way to one. */
    private static final class OfObject extends ReadyEntry {
        private final IRubyObject target;

        OfObject(IRubyObject target) {
            this.target = target;
        }

        @Override
        void run(ThreadContext context) {
            if (target.callMethod(context, "alive?").isTrue()) {
                target.callMethod(context, "transfer");
            }
        }
    }
}
