// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the flat snapshot of a request (or of its trailers) that a worker took. Twin of {@code request_record.c}.
 *
 * <p>Thread: any; the bytes never change.
 */
public final class RequestRecord {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int TABLE = Layout.RECORD_SIZE;

    private RequestRecord() {}

    /** Where a field begins in the record. */
    public static int offset(byte[] record, int field) {
        return (int) INT.get(record, Layout.RECORD_AT_FIELDS + field * Layout.SPAN_SIZE + Layout.SPAN_AT_OFFSET);
    }

    /** How long a field is. */
    public static int length(byte[] record, int field) {
        return (int) INT.get(record, Layout.RECORD_AT_FIELDS + field * Layout.SPAN_SIZE + Layout.SPAN_AT_LENGTH);
    }

    /** How many header lines there are. */
    public static int headerCount(byte[] record) {
        return (int) INT.get(record, Layout.RECORD_AT_HEADER_COUNT);
    }

    /** Where the name of a header line begins. */
    public static int nameOffset(byte[] record, int header) {
        return (int) INT.get(record, TABLE + header * 2 * Layout.SPAN_SIZE);
    }

    /** How long the name of a header line is. */
    public static int nameLength(byte[] record, int header) {
        return (int) INT.get(record, TABLE + header * 2 * Layout.SPAN_SIZE + 4);
    }

    /** Where the value of a header line begins. */
    public static int valueOffset(byte[] record, int header) {
        return (int) INT.get(record, TABLE + header * 2 * Layout.SPAN_SIZE + 8);
    }

    /** How long the value of a header line is. */
    public static int valueLength(byte[] record, int header) {
        return (int) INT.get(record, TABLE + header * 2 * Layout.SPAN_SIZE + 12);
    }
}
