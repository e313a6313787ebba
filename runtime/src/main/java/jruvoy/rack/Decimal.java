// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.nio.charset.StandardCharsets;
import org.jruby.util.ByteList;

/** Decimal numbers as bytes, both ways. Thread: any. */
final class Decimal {
    private static final int COUNT = 2048;
    private static final byte[][] SMALL = new byte[COUNT][];

    static {
        for (int i = 0; i < COUNT; i++) {
            SMALL[i] = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
        }
    }

    private Decimal() {}

    /** The digits of a number that is not negative; not to be changed. */
    static byte[] of(long number) {
        return number < COUNT ? SMALL[(int) number] : Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    /** The number that the text says, or -1 when it is not all digits or too long to be true. */
    static long parse(ByteList text) {
        int length = text.realSize();
        if (length == 0 || length > 18) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < length; i++) {
            int digit = text.get(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
