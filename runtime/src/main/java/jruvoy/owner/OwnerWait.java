// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.ArrayDeque;
import org.jruby.runtime.ThreadContext;

/**
 * Fibers, and other threads, that wait for something the loop's source brings: bytes of a body, credit. A wake that
 * comes too late for one that has gone on for another reason does nothing.
 *
 * <p>Thread: the owner, except {@link #until} (any Ruby thread, and fibers of other owners).
 */
public final class OwnerWait {
    /** One try to get what is waited for. Thread: the owner. */
    @FunctionalInterface
    public interface Attempt {
        /** Whether it worked; must not wait. */
        boolean succeeds();
    }

    private final OwnerLoop loop;
    private final ArrayDeque<ReadyEntry> waiting = new ArrayDeque<>(2);

    /** A wait whose fibers live on this loop. */
    public OwnerWait(OwnerLoop loop) {
        this.loop = loop;
    }

    /**
     * Makes the owner try until it works; the calling fiber, or other thread, waits between two tries.
     *
     * @throws org.jruby.exceptions.RaiseException IOError elsewhere than on the owner when its loop has ended
     */
    public void until(ThreadContext context, Attempt attempt) {
        if (!loop.isCurrent(context)) {
            untilElsewhere(context, attempt);
            return;
        }
        while (!attempt.succeeds()) {
            park(context);
        }
    }

    /** Lets every one that waits try again, in the next turn. */
    public void wake() {
        for (ReadyEntry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
            loop.push(entry);
        }
    }

    private void park(ThreadContext context) {
        ReadyEntry.OfFiber entry = new ReadyEntry.OfFiber(context.getFiber());
        waiting.add(entry);
        try {
            loop.park(context);
        } finally {
            waiting.remove(entry);
            entry.clear();
        }
    }

    private void untilElsewhere(ThreadContext context, Attempt attempt) {
        Opening opening = new Opening();
        while (!opening.succeeded) {
            opening = new Opening();
            Opening next = opening;
            loop.call(context, () -> next.attempt(attempt));
            awaitOpening(context, next);
            if (next.abandoned) {
                throw loop.ended(context);
            }
        }
    }

    /** Waits to be worth another try. Who is interrupted meanwhile does not wait any more. */
    private void awaitOpening(ThreadContext context, Opening opening) {
        boolean opened = false;
        try {
            opening.latch.await(context);
            opened = true;
        } finally {
            if (!opened) {
                loop.attempt(context, () -> waiting.remove(opening));
            }
        }
    }

    /** A try of another thread or owner: its latch opens when it has worked or is worth another try. */
    private final class Opening extends ReadyEntry {
        private final Latch latch = new Latch();
        /** Written before the latch opens, as what follows. */
        private boolean succeeded;

        private boolean abandoned;

        void attempt(Attempt attempt) {
            succeeded = attempt.succeeds();
            if (succeeded) {
                latch.open(loop.root());
            } else {
                waiting.add(this);
            }
        }

        @Override
        void run(ThreadContext context) {
            latch.open(context);
        }

        @Override
        void abandon() {
            abandoned = true;
            latch.open(loop.root().runtime.getCurrentContext());
        }
    }
}
