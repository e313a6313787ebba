// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes request records as a worker does. Thread: a test's. */
public final class RecordBuilder {
    private final String[] fields = {"GET", "/", "localhost", "http", "HTTP/1.1", "127.0.0.1:50000", "", "", ""};
    private final List<String> headers = new ArrayList<>();

    /** Sets a field, one of {@link Layout}'s FIELD constants. */
    public RecordBuilder field(int field, String value) {
        fields[field] = value;
        return this;
    }

    /** Adds a header line. */
    public RecordBuilder header(String name, String value) {
        headers.add(name);
        headers.add(value);
        return this;
    }

    /** The record's bytes. */
    public byte[] build() {
        List<String> all = new ArrayList<>(Arrays.asList(fields));
        all.addAll(headers);
        int start = Layout.RECORD_SIZE + headers.size() * Layout.SPAN_SIZE;
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ByteBuffer spans = ByteBuffer.allocate(start).order(ByteOrder.LITTLE_ENDIAN);
        spans.putInt(0).putInt(headers.size() / 2);
        for (String each : all) {
            byte[] bytes = each.getBytes(StandardCharsets.ISO_8859_1);
            spans.putInt(start + text.size()).putInt(bytes.length);
            text.writeBytes(bytes);
        }
        byte[] record = Arrays.copyOf(spans.array(), start + text.size());
        System.arraycopy(text.toByteArray(), 0, record, start, text.size());
        ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).putInt(0, record.length);
        return record;
    }
}
