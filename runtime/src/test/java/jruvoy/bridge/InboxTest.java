// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events reach the receiver in order, with bytes of their own. */
class InboxTest {
    private final FakeNatives natives = new FakeNatives();
    private final Recorder recorder = new Recorder();

    @Test
    void deliversEveryKindInOrder() {
        byte[] record = new RecordBuilder().build();
        natives.request(8, Layout.EVENT_UPGRADE, record);
        natives.body(8, "abc", false);
        natives.body(8, "", true);
        natives.trailers(8, record);
        natives.credit(8, 4096);
        natives.closed(8, EndReason.CLIENT_GONE);
        natives.stop();
        assertEquals(7, new Inbox(natives, 1, 0).poll(recorder));
        assertEquals(
                List.of(
                        "request 8 flags 2 bytes " + record.length,
                        "body 8 abc false",
                        "body 8  true",
                        "trailers 8 bytes " + record.length,
                        "credit 8 4096",
                        "closed 8 CLIENT_GONE",
                        "stop"),
                recorder.seen);
    }

    @Test
    void takesBatchesUntilNothingIsLeft() {
        for (int i = 0; i < 300; i++) {
            natives.credit(i, i);
        }
        Inbox inbox = new Inbox(natives, 1, 0);
        assertEquals(256, inbox.poll(recorder));
        assertEquals(44, inbox.poll(recorder));
        assertEquals(0, inbox.poll(recorder));
        assertEquals("credit 299 299", recorder.seen.getLast());
    }

    @Test
    void asksTheModuleBeforeItSleeps() {
        Inbox inbox = new Inbox(natives, 1, 0);
        assertEquals(true, inbox.sleep());
        natives.stop();
        assertEquals(false, inbox.sleep());
    }

    private static final class Recorder implements Inbox.Receiver {
        private final List<String> seen = new ArrayList<>();

        @Override
        public void request(long stream, int flags, byte[] record) {
            seen.add("request " + stream + " flags " + flags + " bytes " + record.length);
        }

        @Override
        public void body(long stream, byte[] bytes, boolean last) {
            seen.add("body " + stream + " " + new String(bytes, StandardCharsets.ISO_8859_1) + " " + last);
        }

        @Override
        public void trailers(long stream, byte[] record) {
            seen.add("trailers " + stream + " bytes " + record.length);
        }

        @Override
        public void credit(long stream, long bytes) {
            seen.add("credit " + stream + " " + bytes);
        }

        @Override
        public void closed(long stream, EndReason reason) {
            seen.add("closed " + stream + " " + reason);
        }

        @Override
        public void stop() {
            seen.add("stop");
        }
    }
}
