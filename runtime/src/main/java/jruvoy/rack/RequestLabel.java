// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.nio.charset.StandardCharsets;
import jruvoy.bridge.Layout;
import jruvoy.bridge.RequestRecord;

/** What the log says of a request, from its record: the env is the app's and may have changed. Thread: any. */
final class RequestLabel {
    private static final int PATH_MAX = 300;

    private RequestLabel() {}

    /** Method, path without the query (it may hold secrets) and request id. */
    static String of(byte[] record) {
        String path = field(record, Layout.FIELD_PATH);
        int query = path.indexOf('?');
        String shown = query < 0 ? path : path.substring(0, query);
        if (shown.length() > PATH_MAX) {
            shown = shown.substring(0, PATH_MAX) + "...";
        }
        String id = header(record, "x-request-id");
        return field(record, Layout.FIELD_METHOD) + " " + shown + (id.isEmpty() ? "" : " [" + id + "]");
    }

    /** Whether the client asked for the head only. */
    static boolean isHead(byte[] record) {
        return RequestRecord.length(record, Layout.FIELD_METHOD) == 4
                && "HEAD".equals(field(record, Layout.FIELD_METHOD));
    }

    /** The first value of a header, or an empty string. */
    static String header(byte[] record, String name) {
        int count = RequestRecord.headerCount(record);
        for (int i = 0; i < count; i++) {
            if (RequestRecord.nameLength(record, i) == name.length()
                    && text(record, RequestRecord.nameOffset(record, i), name.length())
                            .equals(name)) {
                return text(record, RequestRecord.valueOffset(record, i), RequestRecord.valueLength(record, i));
            }
        }
        return "";
    }

    private static String field(byte[] record, int field) {
        return text(record, RequestRecord.offset(record, field), RequestRecord.length(record, field));
    }

    /** Bytes that could break a line or a terminal are shown as question marks. */
    private static String text(byte[] record, int at, int length) {
        String raw = new String(record, at, length, StandardCharsets.ISO_8859_1);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            char letter = raw.charAt(i);
            text.append(letter < ' ' || letter > '~' ? '?' : letter);
        }
        return text.toString();
    }
}
