// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.Map;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * What a fiber holds by an explicit lock, as a list that begins with the fiber's thread and is linked through the
 * mutexes. A pooled fiber lives on when its request is over: nobody else would free them.
 *
 * <p>Thread: the fiber.
 */
public final class HeldLocks {
    private static final Object KEY = new Object();

    private HeldLocks() {}

    /** The calling fiber has locked a mutex. */
    static void add(ThreadContext context, OwnedMutex mutex) {
        mutex.nextHeld = (OwnedMutex) variables(context).put(KEY, mutex);
    }

    /** The calling fiber is about to unlock a mutex that it holds. */
    static void remove(ThreadContext context, OwnedMutex mutex) {
        Map<Object, IRubyObject> variables = variables(context);
        OwnedMutex first = (OwnedMutex) variables.get(KEY);
        if (first == mutex) {
            variables.put(KEY, mutex.nextHeld);
        } else {
            for (OwnedMutex at = first; at != null; at = at.nextHeld) {
                if (at.nextHeld == mutex) {
                    at.nextHeld = mutex.nextHeld;
                }
            }
        }
        mutex.nextHeld = null;
    }

    /** Unlocks every Mutex and Monitor that the calling fiber still holds. */
    public static void release(ThreadContext context) {
        OwnedMutex held = (OwnedMutex) variables(context).get(KEY);
        while (held != null) {
            OwnedMutex next = held.nextHeld;
            if (held.owned_p(context).isTrue()) {
                held.unlock(context);
            }
            held = next;
        }
        variables(context).remove(KEY);
    }

    private static Map<Object, IRubyObject> variables(ThreadContext context) {
        return context.getThread().getContextVariables();
    }
}
