// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jruvoy.bridge.EndReason;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Owners that die by an Error in their loop, one after the other. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OwnerLossTest {
    private static final String RACKUP = """
            at_exit { File.write("exits", "x", mode: "a") }
            SHARED, BODIES, STREAMS, LOCK = Array.new(3) { Queue.new }.push(Mutex.new)
            # Lets as many turns of a loop fail as the scheduler does not put up with.
            Broken = Struct.new(:selector, :left) do
              def alive? = (self.left -= 1) >= 0
              def transfer
                selector.push(self)
                raise NoMemoryError, "no luck"
              end
            end
            TOLD = ->(&work) { work.call && "nothing" rescue "#{$!.class}: #{$!.message}" }
            run(lambda do |env|
              case env["PATH_INFO"]
              when "/die"
                sleep(0.001) until SHARED.num_waiting == env["QUERY_STRING"].to_i
                selector = Fiber.scheduler.instance_variable_get(:@selector)
                selector.push(Broken.new(selector, Jruvoy::Scheduler::FAILURES + 1))
                sleep
              when "/wait" then sleep
              when "/lend"
                LOCK.lock
                BODIES << env["rack.input"]
                [200, {}, ->(stream) { (STREAMS << stream) && SHARED.pop }]
              when "/read" then [200, {}, [TOLD.call { BODIES.pop.read }]]
              when "/write" then [200, {}, [TOLD.call { STREAMS.pop.then { |stream| loop { stream.write("x" * 65_536) } } }]]
              when "/pop" then sleep(0.001) until SHARED.num_waiting == 1; [200, {}, [SHARED.pop]]
              when "/push" then (SHARED << "pushed") && [200, {}, ["sent"]]
              when "/lock" then [200, {}, [LOCK.synchronize { "locked" }]]
              else [200, {}, ["served"]]
              end
            end)
            """;

    private static final String TOLD = "IOError: the stream's owner has ended";

    @TempDir
    private Path folder;

    /** The first to die waits for a queue before the other does, and has what that one waits for: bytes, credit, a lock. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void itsRequestsAreAnsweredAndTheOtherGoesOn(int first) throws Exception {
        try (OwnerHarness app = OwnerHarness.of(folder, RACKUP, 2)) {
            assertNull(app.failure());
            if (first == 1) {
                app.skip();
            }
            long lending = app.post("/lend");
            Map<Long, String> expected = new HashMap<>();
            expected.put(app.get("/read"), "200 " + TOLD);
            app.skip();
            expected.put(app.get("/write"), "200 " + TOLD);
            app.skip();
            expected.put(app.get("/pop"), "200 pushed");
            app.skip();
            expected.put(app.get("/lock"), "200 locked");
            expected.put(app.get("/wait"), "500 Internal server error\n");
            app.skip();
            expected.put(app.get("/die?2"), "500 Internal server error\n");
            assertEquals(first, app.natives().lost.take());
            expected.put(app.get("/push"), "200 sent");
            Map<Long, String> answers = app.answers(expected.size());
            assertEquals("200 ", answers.remove(lending).substring(0, 4));
            assertEquals(expected, answers);
            app.natives().closed(lending, EndReason.APP_ERROR);
            assertTrue(app.next().releases());
            assertEquals("503 Service unavailable\n", app.answer(app.get("/")));
            assertEquals("200 served", app.answer(app.get("/")));
            app.skip();
            assertEquals("500 Internal server error\n", app.answer(app.get("/die")));
            assertEquals(1 - first, app.natives().lost.take());
            assertEquals("503 Service unavailable\n", app.answer(app.get("/")));
            assertEquals("503 Service unavailable\n", app.answer(app.get("/")));
        }
        assertEquals("x", Files.readString(folder.resolve("exits")));
    }
}
