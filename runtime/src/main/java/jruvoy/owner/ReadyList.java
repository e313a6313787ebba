// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What is ready to run, in the order in which it was pushed: many producers, one consumer, no lock.
 *
 * <p>The consumer takes the whole list at once, so that a turn runs what was ready when it began, and entries that are
 * pushed meanwhile wait for the next turn. When the loop has ended, entries are abandoned instead.
 *
 * <p>Thread: {@link #push} any, the rest the owner.
 */
final class ReadyList {
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(ReadyList.class, "head", ReadyEntry.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The newest entry, which links to the one before it. Written by producers and the consumer, by CAS or swap. */
    @SuppressWarnings("unused")
    private volatile ReadyEntry head;
    /** Nothing is run any more. Written by the owner. */
    private volatile boolean ended;
    /** What the turn in progress has not run, so that an exception loses none. Owner only. */
    private ReadyEntry batch;

    void push(ReadyEntry entry) {
        ReadyEntry newest;
        do {
            newest = head;
            entry.next = newest;
        } while (!HEAD.compareAndSet(this, newest, entry));
        // Pushed, then looked: either this sees the end, or the end sees the entry.
        if (ended) {
            abandon(takeAll());
        }
    }

    boolean isEmpty() {
        return batch == null && head == null;
    }

    /** Begins a turn, unless one that an exception has ended has left something. */
    void begin() {
        if (batch == null) {
            batch = takeAll();
        }
    }

    /** The next entry of the turn, or null at its end. */
    ReadyEntry next() {
        ReadyEntry entry = batch;
        if (entry != null) {
            batch = entry.next;
            entry.next = null;
        }
        return entry;
    }

    /** The loop has ended: who waits for it is told, and so is whoever comes later. */
    void end() {
        ended = true;
        abandon(batch);
        batch = null;
        abandon(takeAll());
    }

    /** Empties the list. @return the oldest entry, linked to the newer ones, or null */
    ReadyEntry takeAll() {
        if (head == null) {
            return null;
        }
        ReadyEntry newest = (ReadyEntry) HEAD.getAndSet(this, null);
        ReadyEntry oldest = null;
        while (newest != null) {
            ReadyEntry before = newest.next;
            newest.next = oldest;
            oldest = newest;
            newest = before;
        }
        return oldest;
    }

    private static void abandon(ReadyEntry oldest) {
        for (ReadyEntry entry = oldest; entry != null; entry = entry.next) {
            entry.abandon();
        }
    }
}
