// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of the gRPC fixture: a text and a number, in protocol buffers and gRPC's framing by hand. Thread: any.
 *
 * @param text field 1
 * @param number field 2, 0 when it is absent
 */
record GrpcMessage(String text, int number) {
    private static final int HEAD = 5;

    /** Its bytes as they travel. */
    byte[] framed() {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        if (!text.isEmpty()) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            message.write(1 << 3 | 2);
            writeVarint(message, bytes.length);
            message.writeBytes(bytes);
        }
        if (number != 0) {
            message.write(2 << 3);
            writeVarint(message, number);
        }
        return ByteBuffer.allocate(HEAD + message.size())
                .put((byte) 0)
                .putInt(message.size())
                .put(message.toByteArray())
                .array();
    }

    /** The whole messages at the beginning of a body. */
    static List<GrpcMessage> allIn(byte[] body) {
        List<GrpcMessage> messages = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(body);
        while (bytes.remaining() >= HEAD) {
            if (bytes.get() != 0) {
                throw new AssertionError("a compressed message");
            }
            int length = bytes.getInt();
            if (length > bytes.remaining()) {
                break;
            }
            messages.add(parse(bytes.slice(bytes.position(), length)));
            bytes.position(bytes.position() + length);
        }
        return messages;
    }

    private static GrpcMessage parse(ByteBuffer message) {
        String text = "";
        int number = 0;
        while (message.hasRemaining()) {
            int tag = readVarint(message);
            int value = readVarint(message);
            if (tag == (1 << 3 | 2)) {
                byte[] bytes = new byte[value];
                message.get(bytes);
                text = new String(bytes, StandardCharsets.UTF_8);
            } else {
                number = value;
            }
        }
        return new GrpcMessage(text, number);
    }

    private static void writeVarint(ByteArrayOutputStream out, int number) {
        int rest = number;
        while (rest > 127) {
            out.write(rest & 127 | 128);
            rest >>>= 7;
        }
        out.write(rest);
    }

    private static int readVarint(ByteBuffer bytes) {
        int number = 0;
        int shift = 0;
        int octet = bytes.get();
        while (octet < 0) {
            number |= (octet & 127) << shift;
            shift += 7;
            octet = bytes.get();
        }
        return number | octet << shift;
    }
}
