// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What is ready to run, in the order in which it was pushed: many producers, one consumer, no lock.
 *
 * <p>The consumer takes the whole list at once, so that a turn runs what was ready when it began, and entries that are
 * pushed meanwhile wait for the next turn.
 *
 * <p>Thread: {@link #push} and {@link #isEmpty} any, {@link #takeAll} the owner.
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

    void push(ReadyEntry entry) {
        ReadyEntry newest;
        do {
            newest = head;
            entry.next = newest;
        } while (!HEAD.compareAndSet(this, newest, entry));
    }

    boolean isEmpty() {
        return head == null;
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
}
