// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Shows a block of headers as text. Thread: a test's. */
public final class HeaderBlockText {
    private HeaderBlockText() {}

    /** A line per header. */
    public static String of(HeaderBlock block) {
        byte[] message = new byte[block.size()];
        block.write(message, 0);
        ByteBuffer table = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        StringBuilder text = new StringBuilder();
        int at = 8 * block.count();
        for (int i = 0; i < block.count(); i++) {
            int name = table.getInt(8 * i);
            int value = table.getInt(8 * i + 4);
            text.append(string(message, at, name)).append(": ");
            text.append(string(message, at + name, value)).append('\n');
            at += name + value;
        }
        return text.toString();
    }

    private static String string(byte[] bytes, int at, int length) {
        return new String(bytes, at, length, StandardCharsets.ISO_8859_1);
    }
}
