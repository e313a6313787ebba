// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jruvoy.bridge.EndReason;
import jruvoy.bridge.FakeNatives.Message;
import jruvoy.bridge.Layout;
import jruvoy.bridge.RecordBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole owner, from the record to the messages, with the test as the worker. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OwnerTest {
    private static final int COMPLETE = 1;
    private static final int HEAD = 2;
    private static final int DATA = 3;
    private static final int TRAILERS = 4;
    private static final int RESET = 5;
    private static final int CREDIT = 6;
    private static final int RELEASE = 7;

    private static final String RACKUP = """
            LOG = Queue.new
            at_exit { LOG << "exit" }
            PLAIN = { "content-type" => "text/plain" }.freeze
            Closing = Struct.new(:chunks) do
              def each = chunks.each { |chunk| yield chunk }
              def close = LOG << "closed"
            end
            run(lambda do |env|
              case env["PATH_INFO"]
              when "/hello" then [200, PLAIN.dup, ["hello"]]
              when "/log" then [200, {}, [LOG.empty? ? "" : LOG.pop]]
              when "/wait"
                begin
                  Queue.new.pop
                rescue Exception => error
                  LOG << "#{error.class} #{error.message}"
                  raise
                end
              when "/large" then [200, {}, Closing.new(Array.new(20) { "x" * 65_536 })]
              when "/early" then [200, {}, Enumerator.new { |y| y << "first"; sleep 0.05; y << "last" }]
              when "/broken" then [200, {}, Enumerator.new { |y| y << "some"; raise "late" }]
              when "/raise" then raise "early"
              when "/echo" then [200, {}, [env["rack.input"].read]]
              when "/duplex"
                [200, {}, ->(s) { while (part = s.read(3)); s.write("<#{part}>"); s.flush; end; s.close }]
              when "/trailers"
                env["jruvoy.response_trailers"]["x-sum"] = "1"
                [200, {}, ["body"]]
              when "/upgrade" then [200, { "rack.protocol" => "echo" }, ->(s) { s.write(s.read(2)); s.close }]
              when "/locals"
                before = [Thread.current[:a], Fiber[:b]].inspect
                Thread.current[:a] = Fiber[:b] = 1
                [200, {}, [before]]
              when "/multithread" then [200, {}, [env["rack.multithread"].inspect]]
              when "/exit" then Thread.exit
              when "/exit_later" then sleep 0.01; Thread.current.kill
              end
            end)
            """;

    @TempDir
    private static Path folder;

    private static OwnerHarness owner;

    @BeforeAll
    static void start() throws Exception {
        owner = OwnerHarness.of(folder, RACKUP);
        assertNull(owner.failure());
    }

    @AfterAll
    static void stop() throws Exception {
        owner.close();
    }

    @Test
    void aSmallAnswerIsOneMessage() throws Exception {
        Message only = only(owner.all(owner.get("/hello")));
        assertEquals(COMPLETE, only.kind());
        assertEquals("hello", only.text());
        assertEquals("5", only.header("content-length"));
        assertTrue(only.isEnd() && only.releases());
    }

    @Test
    void theHeadDoesNotWaitForTheBody() throws Exception {
        List<Message> all = owner.all(owner.get("/early"));
        assertEquals(List.of(HEAD, DATA, DATA, RELEASE), kinds(all));
        assertEquals("first", all.get(1).text());
        assertEquals("last", all.get(2).text());
    }

    @Test
    void aLargeBodyWaitsForCreditAndIsClosed() throws Exception {
        long handle = owner.get("/large");
        int sent = 0;
        while (sent < 256 << 10) {
            sent += owner.next().body().length;
        }
        assertNull(owner.natives().sent.poll(200, TimeUnit.MILLISECONDS), "sent without credit");
        owner.natives().credit(handle, sent);
        int rest =
                owner.all(handle).stream().mapToInt(each -> each.body().length).sum();
        assertEquals(20 * 65_536, sent + rest);
        assertEquals("200 closed", owner.answer(owner.get("/log")));
    }

    @Test
    void aFailureBeforeTheHeadIsA500() throws Exception {
        Message only = only(owner.all(owner.get("/raise")).subList(0, 1));
        assertEquals("500", only.header(":status"));
        assertFalse(only.text().contains("early"));
    }

    @Test
    void aFailureInTheBodyIsACut() throws Exception {
        assertEquals(List.of(HEAD, DATA, RESET, RELEASE), kinds(owner.all(owner.get("/broken"))));
    }

    @Test
    void aClosedStreamInterruptsItsHandler() throws Exception {
        long handle = owner.get("/wait");
        owner.natives().closed(handle, EndReason.CLIENT_GONE);
        assertEquals(List.of(RELEASE), kinds(owner.all(handle)));
        assertEquals("200 Jruvoy::Cancelled client_gone", owner.answer(owner.get("/log")));
    }

    @Test
    void aBodyIsReadAsItArrives() throws Exception {
        long handle = owner.post("/duplex");
        assertEquals(HEAD, owner.next().kind());
        owner.natives().body(handle, "abc", false);
        assertEquals("<abc>", nextData().text());
        owner.natives().body(handle, "d", false);
        owner.natives().body(handle, "e", true);
        assertEquals("<de>", nextData().text());
        owner.all(handle);
    }

    @Test
    void whatWasReadIsPaidBack() throws Exception {
        long handle = owner.post("/echo");
        String part = "x".repeat(100_000);
        owner.natives().body(handle, part, false);
        int credit = 0;
        while (credit < part.length()) {
            Message message = owner.next();
            assertEquals(CREDIT, message.kind());
            credit += message.credit();
        }
        owner.natives().body(handle, "end", true);
        assertEquals("200 " + part + "end", owner.answer(handle));
    }

    @Test
    void trailersFollowTheBody() throws Exception {
        RecordBuilder record =
                new RecordBuilder().field(Layout.FIELD_PATH, "/trailers").field(Layout.FIELD_PROTOCOL, "HTTP/2");
        List<Message> all = owner.all(owner.send(record, Layout.EVENT_END_STREAM));
        assertEquals(List.of(HEAD, DATA, TRAILERS, RELEASE), kinds(all));
        assertEquals("1", all.get(2).header("x-sum"));
    }

    @Test
    void anUpgradeIsA101() throws Exception {
        RecordBuilder record =
                new RecordBuilder().field(Layout.FIELD_PATH, "/upgrade").header("upgrade", "echo");
        long handle = owner.send(record, Layout.EVENT_UPGRADE);
        Message head = owner.next();
        assertEquals("101", head.header(":status"));
        assertEquals("echo", head.header("upgrade"));
        owner.natives().body(handle, "hi", false);
        assertEquals("hi", nextData().text());
        owner.all(handle);
    }

    @Test
    void fibersForgetTheirRequests() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertEquals("200 [nil, nil]", owner.answer(owner.get("/locals")));
        }
    }

    @Test
    void oneOwnerIsOneThread() throws Exception {
        assertEquals("200 false", owner.answer(owner.get("/multithread")));
    }

    @Test
    void aLostFiberCostsItsRequestOnly() throws Exception {
        for (String path : List.of("/exit", "/exit_later", "/exit_later")) {
            assertEquals("500", owner.all(owner.get(path)).getFirst().header(":status"));
            assertEquals("200 hello", owner.answer(owner.get("/hello")));
        }
    }

    private static Message nextData() throws InterruptedException {
        Message message = owner.next();
        return message.kind() == CREDIT ? nextData() : message;
    }

    private static Message only(List<Message> messages) {
        assertEquals(1, messages.size(), messages::toString);
        return messages.getFirst();
    }

    private static List<Integer> kinds(List<Message> messages) {
        return messages.stream().map(Message::kind).toList();
    }

    @Test
    void stopBetweenTheLastLookAndTheSleepIsNotLost(@TempDir Path folder) throws Exception {
        OwnerHarness idle = OwnerHarness.of(folder, "run ->(env) { [200, {}, []] }");
        idle.natives().beforeSleep(idle::stop);
        idle.get("/"); // Ends the present sleep.
        idle.awaitEnd();
    }
}
