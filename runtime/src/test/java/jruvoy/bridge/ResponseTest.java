// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import jruvoy.bridge.FakeNatives.Message;
import org.junit.jupiter.api.Test;

/** Responses leave in legal order, in as few messages as their timing allows, within their credit. */
class ResponseTest {
    private static final int WINDOW = 256 << 10;

    private final FakeNatives natives = new FakeNatives();
    private final Outbox outbox = new Outbox(natives);
    private final Stream stream = new Stream(16, outbox, WINDOW, false);
    private final Response response = stream.response();

    @Test
    void aWholeSmallBodyIsOneMessageWithItsLength() {
        response.begin(head(), -1, true);
        write("hello ");
        write("world");
        assertEquals(Response.Ending.WHOLE, response.finish(null, true));
        Message only = only(flushed());
        assertEquals(Layout.MESSAGE_COMPLETE, only.kind());
        assertEquals("11", only.header("content-length"));
        assertEquals("hello world", only.text());
        assertTrue(only.isEnd() && only.releases());
    }

    @Test
    void theHeadLeavesWithTheTurn() {
        response.begin(head(), -1, true);
        Message head = only(flushed());
        assertEquals(Layout.MESSAGE_HEAD, head.kind());
        assertNull(head.header("content-length"));
        write("later");
        assertEquals("later", only(flushed()).text());
        response.finish(null, true);
        Message end = only(flushed());
        assertEquals(Layout.MESSAGE_DATA, end.kind());
        assertTrue(end.isEnd() && end.releases() && end.body().length == 0);
    }

    @Test
    void aSpentBudgetLeavesOneChunkOnTheWay() {
        natives.budgetSpent = true;
        response.begin(head(), -1, false);
        byte[] much = new byte[100_000];
        int taken = response.write(much, 0, much.length);
        assertTrue(taken <= 2 * Credit.CHUNK, taken + " bytes");
        response.leave();
        flushed();
        assertEquals(0, response.write(much, 0, much.length));
        stream.credit().grant(taken);
        assertTrue(response.write(much, 0, much.length) > 0);
        natives.budgetSpent = false;
        assertEquals(much.length, response.write(much, 0, much.length));
    }

    @Test
    void aFlushDoesNotWaitForTheTurn() {
        response.begin(head(), -1, true);
        write("now");
        response.flush();
        assertEquals(List.of(Layout.MESSAGE_HEAD, Layout.MESSAGE_DATA), kinds(sent()));
    }

    @Test
    void aBodilessHeadIsTheEnd() {
        response.beginBodiless(head());
        assertEquals(4, write("nope"));
        response.finish(null, true);
        Message only = only(flushed());
        assertEquals(Layout.MESSAGE_HEAD, only.kind());
        assertTrue(only.isEnd());
    }

    @Test
    void aShortBodyIsCut() {
        response.begin(head(), 10, true);
        write("12345");
        assertEquals(Response.Ending.SHORT, response.finish(null, true));
        assertEquals(List.of(Layout.MESSAGE_HEAD, Layout.MESSAGE_DATA, Layout.MESSAGE_RESET), kinds(flushed()));
    }

    @Test
    void theSurplusOfALongBodyIsDropped() {
        response.begin(head(), 5, true);
        assertEquals(5, write("12345"));
        assertEquals(4, write("more"));
        assertEquals(Response.Ending.LONG, response.finish(null, true));
        assertEquals("12345", only(flushed()).text());
    }

    @Test
    void trailersEndABodyThatHasNoLength() {
        response.begin(head(), -1, false);
        write("x");
        HeaderBlock trailers = new HeaderBlock();
        trailers.add(ascii("grpc-status"), ascii("0"));
        response.finish(trailers, true);
        List<Message> all = flushed();
        assertEquals(List.of(Layout.MESSAGE_HEAD, Layout.MESSAGE_DATA, Layout.MESSAGE_TRAILERS), kinds(all));
        assertEquals("0", all.getLast().header("grpc-status"));
        assertTrue(all.getLast().isEnd());
    }

    @Test
    void writesStopWithoutCreditAndGoOnWithIt() {
        byte[] large = new byte[WINDOW + (200 << 10)];
        response.begin(head(), -1, true);
        int taken = response.write(large, 0, large.length);
        assertTrue(taken >= WINDOW && taken <= WINDOW + (64 << 10), "took " + taken);
        assertEquals(0, response.write(large, taken, large.length - taken));
        outbox.flush();
        stream.credit().grant(WINDOW);
        assertEquals(large.length - taken, response.write(large, taken, large.length - taken));
        response.finish(null, true);
        assertEquals(
                large.length,
                flushed().stream().mapToInt(each -> each.body().length).sum());
    }

    @Test
    void buffersThatAreLentKeepTheStreamUntilTheyAreTaken() {
        byte[] large = new byte[100 << 10];
        response.begin(head(), -1, true);
        response.write(large, 0, large.length);
        response.finish(null, true);
        assertFalse(flushed().getLast().releases());
        assertFalse(stream.release());
        stream.credit().grant(large.length);
        assertTrue(stream.release());
        assertTrue(only(flushed()).releases());
    }

    @Test
    void nothingIsSentToAClosedStreamButTheRelease() {
        response.begin(head(), -1, true);
        write("x");
        stream.close(EndReason.CLIENT_GONE);
        assertTrue(flushed().isEmpty());
        assertTrue(stream.release());
        assertEquals(Layout.MESSAGE_RELEASE, only(flushed()).kind());
    }

    @Test
    void aHeadCanBeRevokedUntilSomethingWasWritten() {
        response.begin(head(), -1, true);
        assertTrue(response.isRevocable());
        response.revoke();
        response.begin(head(), -1, true);
        write("x");
        assertFalse(response.isRevocable());
        response.reset();
        assertEquals(List.of(Layout.MESSAGE_HEAD, Layout.MESSAGE_DATA, Layout.MESSAGE_RESET), kinds(flushed()));
        assertTrue(response.isEnded());
    }

    @Test
    void manySmallChunksAreFewMessages() {
        response.begin(head(), -1, true);
        outbox.flush();
        for (int i = 0; i < 5000; i++) {
            write("0123456789");
        }
        response.finish(null, true);
        List<Message> all = flushed();
        assertTrue(all.size() < 20, all.size() + " messages");
        assertEquals(50_000, all.stream().mapToInt(each -> each.body().length).sum());
    }

    private int write(String text) {
        byte[] bytes = ascii(text);
        return response.write(bytes, 0, bytes.length);
    }

    private List<Message> flushed() {
        outbox.flush();
        return sent();
    }

    private List<Message> sent() {
        List<Message> all = List.copyOf(natives.sent);
        natives.sent.clear();
        return all;
    }

    private static Message only(List<Message> messages) {
        assertEquals(1, messages.size(), messages::toString);
        return messages.getFirst();
    }

    private static List<Integer> kinds(List<Message> messages) {
        return messages.stream().map(Message::kind).toList();
    }

    private static HeaderBlock head() {
        HeaderBlock head = new HeaderBlock();
        head.add(ascii(":status"), ascii("200"));
        return head;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
