// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

/**
 * Shapes of what crosses between C and Java; twin of {@code layout.h}, which says what each value means. The two are
 * compared once at boot, so that a module and a jar of different builds never exchange a byte.
 *
 * <p>Thread: any.
 */
public final class Layout {
    /** Bytes of one event. */
    public static final int EVENT_SIZE = 32;

    static final int EVENT_AT_KIND = 0;
    static final int EVENT_AT_FLAGS = 4;
    static final int EVENT_AT_STREAM = 8;
    static final int EVENT_AT_DATA = 16;
    static final int EVENT_AT_SIZE = 24;

    static final int EVENT_NEW = 1;
    static final int EVENT_BODY = 2;
    static final int EVENT_TRAILERS = 3;
    static final int EVENT_CREDIT = 4;
    static final int EVENT_CLOSED = 5;
    static final int EVENT_STOP = 6;

    /** Flag of NEW and BODY: nothing of the request follows. */
    public static final int EVENT_END_STREAM = 1;
    /** Flag of NEW: an upgrade or an extended CONNECT. */
    public static final int EVENT_UPGRADE = 2;

    static final int SPAN_SIZE = 8;
    static final int SPAN_AT_OFFSET = 0;
    static final int SPAN_AT_LENGTH = 4;
    static final int RECORD_SIZE = 80;
    static final int RECORD_AT_TOTAL = 0;
    static final int RECORD_AT_HEADER_COUNT = 4;
    static final int RECORD_AT_FIELDS = 8;

    /** Field of a record: the method. */
    public static final int FIELD_METHOD = 0;
    /** Field of a record: path and query as they came. */
    public static final int FIELD_PATH = 1;
    /** Field of a record: host and port that the client asked for. */
    public static final int FIELD_AUTHORITY = 2;
    /** Field of a record: http or https, of the connection. */
    public static final int FIELD_SCHEME = 3;
    /** Field of a record: HTTP/1.1 and the like. */
    public static final int FIELD_PROTOCOL = 4;
    /** Field of a record: the peer's address and port. */
    public static final int FIELD_REMOTE_ADDRESS = 5;

    /** Field of a record: TLSv1.3 and the like; empty without TLS, as the next two. */
    public static final int FIELD_TLS_VERSION = 6;
    /** Field of a record: the server name that the client asked for. */
    public static final int FIELD_TLS_SERVER_NAME = 7;
    /** Field of a record: the subject of the client's certificate. */
    public static final int FIELD_TLS_PEER_SUBJECT = 8;

    static final int FIELD_COUNT = 9;

    static final int MESSAGE_SIZE = 40;
    static final int MESSAGE_AT_TOTAL = 0;
    static final int MESSAGE_AT_KIND = 4;
    static final int MESSAGE_AT_STREAM = 8;
    static final int MESSAGE_AT_FLAGS = 16;
    static final int MESSAGE_AT_HEADER_COUNT = 20;
    static final int MESSAGE_AT_BODY_LENGTH = 24;
    static final int MESSAGE_AT_CREDIT = 28;
    static final int MESSAGE_AT_BODY = 32;

    static final int MESSAGE_COMPLETE = 1;
    static final int MESSAGE_HEAD = 2;
    static final int MESSAGE_DATA = 3;
    static final int MESSAGE_TRAILERS = 4;
    static final int MESSAGE_RESET = 5;
    static final int MESSAGE_CREDIT = 6;
    static final int MESSAGE_RELEASE = 7;

    static final int MESSAGE_END_STREAM = 1;
    static final int MESSAGE_RELEASES = 2;

    /** In the order of {@code layout.c}. */
    private static final long[] VALUES = {
        EVENT_SIZE,
        EVENT_AT_KIND,
        EVENT_AT_FLAGS,
        EVENT_AT_STREAM,
        EVENT_AT_DATA,
        EVENT_AT_SIZE,
        EVENT_NEW,
        EVENT_BODY,
        EVENT_TRAILERS,
        EVENT_CREDIT,
        EVENT_CLOSED,
        EVENT_STOP,
        EVENT_END_STREAM,
        EVENT_UPGRADE,
        SPAN_SIZE,
        SPAN_AT_OFFSET,
        SPAN_AT_LENGTH,
        RECORD_SIZE,
        RECORD_AT_TOTAL,
        RECORD_AT_HEADER_COUNT,
        RECORD_AT_FIELDS,
        FIELD_METHOD,
        FIELD_PATH,
        FIELD_AUTHORITY,
        FIELD_SCHEME,
        FIELD_PROTOCOL,
        FIELD_REMOTE_ADDRESS,
        FIELD_TLS_VERSION,
        FIELD_TLS_SERVER_NAME,
        FIELD_TLS_PEER_SUBJECT,
        FIELD_COUNT,
        MESSAGE_SIZE,
        MESSAGE_AT_TOTAL,
        MESSAGE_AT_KIND,
        MESSAGE_AT_STREAM,
        MESSAGE_AT_FLAGS,
        MESSAGE_AT_HEADER_COUNT,
        MESSAGE_AT_BODY_LENGTH,
        MESSAGE_AT_CREDIT,
        MESSAGE_AT_BODY,
        MESSAGE_COMPLETE,
        MESSAGE_HEAD,
        MESSAGE_DATA,
        MESSAGE_TRAILERS,
        MESSAGE_RESET,
        MESSAGE_CREDIT,
        MESSAGE_RELEASE,
        MESSAGE_END_STREAM,
        MESSAGE_RELEASES,
        EndReason.NONE.ordinal(),
        EndReason.COMPLETED.ordinal(),
        EndReason.APP_ERROR.ordinal(),
        EndReason.CLIENT_GONE.ordinal(),
        EndReason.ENVOY_RESET.ordinal(),
        EndReason.DEADLINE.ordinal(),
        EndReason.REFUSED.ordinal(),
        EndReason.DRAINED.ordinal(),
        EndReason.OWNER_LOST.ordinal(),
        EndReason.values().length,
    };

    private Layout() {}

    /**
     * Compares every value with the module's.
     *
     * @throws IllegalStateException when one differs: the module and this jar are of different builds
     */
    public static void check(Natives natives) {
        for (int i = 0; i < VALUES.length; i++) {
            long theirs = natives.jruvoy_native_layout(i);
            if (theirs != VALUES[i]) {
                throw new IllegalStateException("module and runtime are of different builds: layout value " + i + " is "
                        + theirs + " in the module and " + VALUES[i] + " in the runtime");
            }
        }
        if (natives.jruvoy_native_layout(VALUES.length) != -1) {
            throw new IllegalStateException(
                    "module and runtime are of different builds: the module's layout is longer");
        }
    }

    /** The values as C lists them; for a stand-in of the module in tests. */
    static long[] values() {
        return VALUES.clone();
    }
}
