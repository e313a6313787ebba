// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/**
 * One HTTP/2 frame.
 *
 * @param type the frame type, one of the constants
 * @param flags its flags
 * @param stream the stream it belongs to; 0 is the connection
 * @param payload what it carries
 */
record Http2Frame(int type, int flags, int stream, byte[] payload) {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    /** END_STREAM on DATA and HEADERS, ACK on SETTINGS and PING. */
    static final int END_OR_ACK = 1;

    static final int END_HEADERS = 4;

    private static final int PADDED = 8;
    private static final int PRIORITY = 32;

    /** Reads the next frame; null at the end of the connection. */
    static Http2Frame read(DataInputStream in) throws IOException {
        try {
            int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt() & 0x7fffffff;
            byte[] payload = new byte[length];
            in.readFully(payload);
            return new Http2Frame(type, flags, stream, payload);
        } catch (EOFException end) {
            return null;
        }
    }

    /** The bytes on the wire. */
    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writeNumber(out, payload.length, 3);
        out.write(type);
        out.write(flags);
        writeNumber(out, stream, 4);
        out.writeBytes(payload);
        return out.toByteArray();
    }

    /** Whether the flag is set. */
    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** The payload without padding and priority; for DATA and HEADERS. */
    byte[] content() {
        int from = 0;
        int padding = 0;
        if (has(PADDED)) {
            padding = payload[0] & 0xff;
            from = 1;
        }
        if (type == HEADERS && has(PRIORITY)) {
            from += 5;
        }
        return Arrays.copyOfRange(payload, from, payload.length - padding);
    }

    /** A big-endian number of four bytes in the payload. */
    int number(int at) {
        return ((payload[at] & 0xff) << 24)
                | ((payload[at + 1] & 0xff) << 16)
                | ((payload[at + 2] & 0xff) << 8)
                | (payload[at + 3] & 0xff);
    }

    /** A payload of one number of four bytes. */
    static byte[] ofNumber(int value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writeNumber(out, value, 4);
        return out.toByteArray();
    }

    /** A SETTINGS payload of pairs of identifier and value. */
    static byte[] ofSettings(int... pairs) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int index = 0; index < pairs.length; index += 2) {
            writeNumber(out, pairs[index], 2);
            writeNumber(out, pairs[index + 1], 4);
        }
        return out.toByteArray();
    }

    private static void writeNumber(ByteArrayOutputStream out, int value, int size) {
        for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
            out.write(value >>> shift);
        }
    }
}
