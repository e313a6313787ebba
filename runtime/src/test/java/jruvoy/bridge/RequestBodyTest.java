// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Bodies are read in order, and what was read is paid back in portions. */
class RequestBodyTest {
    private static final int WINDOW = 4096;

    private final FakeNatives natives = new FakeNatives();
    private final Outbox outbox = new Outbox(natives);
    private final RequestBody body = new Stream(16, outbox, WINDOW, true).body();

    @Test
    void givesSlicesOfWhatHasArrived() {
        body.offer(ascii("abcdef"), false);
        body.offer(ascii("gh"), true);
        assertEquals("abcd", read(4));
        assertEquals("ef", read(4));
        assertEquals("gh", read(100));
        assertEquals("", read(100));
        assertTrue(body.isEnded());
    }

    @Test
    void paysBackInPortionsAndBeforeItWaits() {
        body.offer(new byte[WINDOW], false);
        read(100);
        assertEquals(0, credits());
        body.repay();
        assertEquals(100, credits());
        read(WINDOW);
        assertEquals(WINDOW - 100, credits());
        body.repay();
        assertEquals(0, credits());
    }

    @Test
    void asksForNothingAfterTheEnd() {
        body.offer(new byte[WINDOW], true);
        read(50);
        body.repay();
        assertEquals(0, credits());
    }

    @Test
    void keepsNothingThatIsNotWanted() {
        body.offer(ascii("abc"), false);
        body.refuse();
        body.offer(ascii("def"), true);
        assertEquals("", read(10));
        assertEquals(0, credits());
    }

    @Test
    void isNotEndedBeforeTheLastBytes() {
        body.offer(ascii("abc"), false);
        assertFalse(body.isEnded());
    }

    private String read(int limit) {
        int count = body.next(limit);
        if (count == 0) {
            return "";
        }
        String text = new String(body.bytes(), body.offset(), count, StandardCharsets.US_ASCII);
        body.consume(count);
        return text;
    }

    private int credits() {
        outbox.flush();
        int sum = natives.sent.stream().mapToInt(FakeNatives.Message::credit).sum();
        natives.sent.clear();
        return sum;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
