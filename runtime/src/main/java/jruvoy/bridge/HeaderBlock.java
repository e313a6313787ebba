// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Header lines on their way to a message: a table of lengths, and names and values one after the other. It is reused
 * from response to response; who keeps one takes a {@link #copy()}.
 *
 * <p>Thread: not safe; in practice one owner.
 */
public final class HeaderBlock {
    private static final int ENTRY = 8;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] table;
    private byte[] bytes;
    private int count;
    private int length;

    /** An empty block. */
    public HeaderBlock() {
        this(new byte[32 * ENTRY], new byte[1024]);
    }

    private HeaderBlock(byte[] table, byte[] bytes) {
        this.table = table;
        this.bytes = bytes;
    }

    /** Forgets every line. */
    public void clear() {
        count = 0;
        length = 0;
    }

    /** Adds a line; both parts are copied and must have been checked. */
    public void add(byte[] name, byte[] value) {
        add(name, 0, name.length, value, 0, value.length);
    }

    /** Adds a line from parts of arrays; they are copied and must have been checked. */
    public void add(byte[] name, int nameAt, int nameLength, byte[] value, int valueAt, int valueLength) {
        int at = reserve(nameLength + valueLength);
        System.arraycopy(name, nameAt, bytes, at, nameLength);
        System.arraycopy(value, valueAt, bytes, at + nameLength, valueLength);
        enter(nameLength, valueLength);
    }

    /** How many lines there are. */
    public int count() {
        return count;
    }

    /** Bytes that table, names and values take in a message. */
    int size() {
        return count * ENTRY + length;
    }

    /** Writes table, names and values and returns the position behind them. */
    int write(byte[] target, int at) {
        System.arraycopy(table, 0, target, at, count * ENTRY);
        System.arraycopy(bytes, 0, target, at + count * ENTRY, length);
        return at + size();
    }

    /** The same lines, of its own and no larger than it must be but for a content-length to come. */
    public HeaderBlock copy() {
        HeaderBlock copy =
                new HeaderBlock(Arrays.copyOf(table, (count + 1) * ENTRY), Arrays.copyOf(bytes, length + 48));
        copy.count = count;
        copy.length = length;
        return copy;
    }

    private int reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        return length;
    }

    private void enter(int nameLength, int valueLength) {
        int at = count * ENTRY;
        if (at == table.length) {
            table = Arrays.copyOf(table, 2 * table.length);
        }
        INT.set(table, at, nameLength);
        INT.set(table, at + 4, valueLength);
        count++;
        length += nameLength + valueLength;
    }
}
