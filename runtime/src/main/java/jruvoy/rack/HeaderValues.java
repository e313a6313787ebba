// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.nio.charset.StandardCharsets;
import jruvoy.bridge.HeaderBlock;
import org.jruby.util.ByteList;

/** Checks the bytes of header values on their way into a block. Thread: the owner. */
final class HeaderValues {
    private HeaderValues() {}

    /**
     * Adds a line. Blanks around the value are no part of it.
     *
     * @throws InvalidResponse when a byte is in it that HTTP forbids
     */
    static void write(HeaderBlock block, byte[] name, ByteList value) {
        byte[] bytes = value.unsafeBytes();
        int at = value.begin();
        int end = at + value.realSize();
        while (at < end && isBlank(bytes[at])) {
            at++;
        }
        while (at < end && isBlank(bytes[end - 1])) {
            end--;
        }
        for (int i = at; i < end; i++) {
            byte each = bytes[i];
            if (each >= 0 && each < ' ' && each != '\t' || each == 0x7f) {
                throw new InvalidResponse("the value of " + new String(name, StandardCharsets.ISO_8859_1)
                        + " has the byte 0x" + Integer.toHexString(each) + " in it");
            }
        }
        block.add(name, 0, name.length, bytes, at, end - at);
    }

    private static boolean isBlank(byte each) {
        return each == ' ' || each == '\t';
    }
}
