// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.time.Duration;
import java.util.Locale;
import jruvoy.rack.RackRequests;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyThread;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Says who holds an owner: the request, and where its Ruby is. The owner is looked at from outside while it runs; it is
 * held, so what is seen holds still, and if it goes on meanwhile the report is about what it did just then.
 *
 * <p>Thread: any but the owner.
 */
final class StallReport {
    private static final int FRAMES = 60;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Ruby runtime;
    private final RubyThread owner;
    private final RackRequests requests;

    StallReport(Ruby runtime, RubyThread owner, RackRequests requests) {
        this.runtime = runtime;
        this.owner = owner;
        this.requests = requests;
    }

    /** One line, then the Ruby stack, as one text. @param number the stall's, counted over all owners of the app */
    String of(int index, Duration held, long number) {
        ThreadContext context = runtime.getCurrentContext();
        try {
            RubyThread running = running();
            String seconds = String.format(Locale.ROOT, "%.1f", held.toMillis() / MILLIS_PER_SECOND);
            return "owner " + index + " has been held for " + seconds + " s by " + holder(context, running)
                    + "; its other requests wait (stall " + number + ")" + stack(context, running);
        } finally {
            runtime.getThreadService().unregisterCurrentThread(context);
        }
    }

    /** The Ruby thread of the fiber that runs now; the owner's own when its loop does. */
    private RubyThread running() {
        for (RubyThread thread : runtime.getThreadService().getActiveRubyThreads()) {
            ThreadContext context = thread.getContext();
            if (thread != owner
                    && context != null
                    && thread.getFiberCurrentThread() == owner
                    && FiberExchange.isRunning(context.getFiber())) {
                return thread;
            }
        }
        return owner;
    }

    private String holder(ThreadContext context, RubyThread running) {
        if (running == owner) {
            return "its loop";
        }
        ThreadFiber fiber = running.getContext().getFiber();
        String label = requests.label(fiber);
        if (label != null) {
            return label;
        }
        for (IRubyObject task = fiber.callMethod(context, "async_task");
                task.respondsTo("fiber");
                task = task.callMethod(context, "parent")) {
            if (task.callMethod(context, "fiber") instanceof ThreadFiber parent && requests.label(parent) != null) {
                return "a task of " + requests.label(parent);
            }
        }
        return "a task of the app";
    }

    private static String stack(ThreadContext context, RubyThread running) {
        StringBuilder text = new StringBuilder();
        if (running.backtrace(context) instanceof RubyArray<?> frames) {
            for (int i = 0; i < Math.min(FRAMES, frames.getLength()); i++) {
                text.append("\n    ").append(frames.eltOk(i).toString().replaceAll("\\p{Cntrl}", "?"));
            }
        }
        return text.toString();
    }
}
