// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds things by the handle of their stream: open addressing, so that a look-up makes no object.
 *
 * <p>Thread: the owner.
 *
 * @param <T> what is found
 */
final class StreamTable<T> {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long[] handles = new long[256];
    private Object[] values = new Object[256];
    private int size;

    /** How many there are. */
    int size() {
        return size;
    }

    /** What belongs to a handle, or null. */
    @SuppressWarnings("unchecked") // Only put() fills the array.
    T get(long handle) {
        return (T) values[find(handle)];
    }

    /** Adds something under a handle that is not in the table. */
    void put(long handle, T value) {
        if (2 * (size + 1) > values.length) {
            grow();
        }
        set(find(handle), handle, value);
        size++;
    }

    /** Takes something out; what its absence would hide moves up. */
    void remove(long handle) {
        int hole = find(handle);
        if (values[hole] == null) {
            return;
        }
        values[hole] = null;
        size--;
        for (int i = next(hole); values[i] != null; i = next(i)) {
            Object moved = values[i];
            values[i] = null;
            set(find(handles[i]), handles[i], moved);
        }
    }

    /** All there are now. */
    @SuppressWarnings("unchecked") // Only put() fills the array.
    List<T> all() {
        List<T> all = new ArrayList<>(size);
        for (Object value : values) {
            if (value != null) {
                all.add((T) value);
            }
        }
        return all;
    }

    private int find(long handle) {
        int at = (int) (handle * GOLDEN >>> 40) & values.length - 1;
        while (values[at] != null && handles[at] != handle) {
            at = next(at);
        }
        return at;
    }

    private int next(int at) {
        return at + 1 & values.length - 1;
    }

    private void set(int at, long handle, Object value) {
        handles[at] = handle;
        values[at] = value;
    }

    private void grow() {
        long[] oldHandles = handles;
        Object[] oldValues = values;
        handles = new long[2 * oldHandles.length];
        values = new Object[2 * oldValues.length];
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != null) {
                set(find(oldHandles[i]), oldHandles[i], oldValues[i]);
            }
        }
    }
}
