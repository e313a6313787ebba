// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/**
 * A frame of RFC 6455, written from its text and not from what the server does. Thread: any.
 *
 * @param last whether it ends its message
 * @param opcode what it is
 * @param payload the bytes, unmasked
 */
record WebSocketFrame(boolean last, int opcode, byte[] payload) {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int MASKED = 0x80;
    private static final byte[] MASK = {(byte) 0x9a, 0x01, (byte) 0xff, 0x37};

    /** A whole message of text. */
    static WebSocketFrame text(String text) {
        return new WebSocketFrame(true, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A goodbye with a code. */
    static WebSocketFrame close(int code) {
        return new WebSocketFrame(true, CLOSE, new byte[] {(byte) (code >> 8), (byte) code});
    }

    /** The payload as text. */
    String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** The code of a goodbye. */
    int code() {
        return ByteBuffer.wrap(payload).getShort() & 0xffff;
    }

    /** Its bytes as a client sends them. */
    byte[] masked() {
        ByteBuffer bytes = head(MASKED);
        bytes.put(MASK);
        for (int index = 0; index < payload.length; index++) {
            bytes.put((byte) (payload[index] ^ MASK[index % 4]));
        }
        return taken(bytes);
    }

    /** Its bytes without the mask that a client must use. */
    byte[] unmasked() {
        return taken(head(0).put(payload));
    }

    /** Reads a server's frame from a source that gives so many bytes, fewer only at its end; null when that is here. */
    static WebSocketFrame read(IntFunction<byte[]> source) {
        byte[] head = source.apply(2);
        if (head.length < 2) {
            return null;
        }
        if ((head[1] & MASKED) != 0 || (head[0] & 0x70) != 0) {
            throw new AssertionError("a server's frame has a mask or reserved bits");
        }
        long length = head[1] & 0x7f;
        if (length == 126) {
            length = ByteBuffer.wrap(source.apply(2)).getShort() & 0xffff;
        } else if (length == 127) {
            length = ByteBuffer.wrap(source.apply(8)).getLong();
        }
        byte[] payload = length == 0 ? new byte[0] : source.apply(Math.toIntExact(length));
        if (payload.length < length) {
            throw new AssertionError("cut inside a frame");
        }
        return new WebSocketFrame((head[0] & 0x80) != 0, head[0] & 0x0f, payload);
    }

    private ByteBuffer head(int mask) {
        ByteBuffer bytes = ByteBuffer.allocate(14 + payload.length);
        bytes.put((byte) ((last ? 0x80 : 0) | opcode));
        if (payload.length < 126) {
            bytes.put((byte) (mask | payload.length));
        } else if (payload.length < 65_536) {
            bytes.put((byte) (mask | 126)).putShort((short) payload.length);
        } else {
            bytes.put((byte) (mask | 127)).putLong(payload.length);
        }
        return bytes;
    }

    private static byte[] taken(ByteBuffer bytes) {
        byte[] taken = new byte[bytes.position()];
        bytes.flip().get(taken);
        return taken;
    }
}
