// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jruvoy.bridge.EndReason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An app with two owners: the test plays the workers, and its requests go to the owners in turn. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AppTest {
    private static final int ROUNDS = 20;

    private static final String RACKUP = """
            SHARED, BACK, BODIES = Array.new(3) { Queue.new }
            HELD = java.util.concurrent.CountDownLatch.new(1)
            run(lambda do |env|
              body = case env["PATH_INFO"]
              when "/owner" then Fiber.scheduler.object_id.to_s
              when "/multithread" then env["rack.multithread"].inspect
              when "/hold" then HELD.await; "held"
              when "/release" then HELD.count_down; "released"
              when "/pop" then SHARED.pop
              when "/push" then SHARED << "from #{env["QUERY_STRING"]}"; "pushed"
              when "/wait"
                begin
                  Queue.new.pop
                ensure
                  BACK << "ended"
                end
              when "/ended" then BACK.pop
              when "/lend" then BODIES << env["rack.input"]; BACK.pop
              when "/read" then BACK << (body = BODIES.pop.read); body.upcase
              end
              [200, {}, [body]]
            end)
            """;

    @TempDir
    private static Path folder;

    private static OwnerHarness app;

    @BeforeAll
    static void start() throws Exception {
        app = OwnerHarness.of(folder, RACKUP, 2);
        assertNull(app.failure());
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Test
    void ownersServeSideBySide() throws Exception {
        assertNotEquals(app.answer(app.get("/owner")), app.answer(app.get("/owner")));
        long held = app.get("/hold");
        app.expect(held, "200 held", app.get("/release"), "200 released");
    }

    @Test
    void multithreadIsToldByBoth() throws Exception {
        assertEquals("200 true", app.answer(app.get("/multithread")));
        assertEquals("200 true", app.answer(app.get("/multithread")));
    }

    @Test
    void aQueueJoinsRequestsOfBothOwners() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            long waiting = app.get("/pop");
            long pushing = app.get("/push?" + round);
            app.expect(waiting, "200 from " + round, pushing, "200 pushed");
        }
    }

    @Test
    void aBodyCanBeReadByTheOtherOwner() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            long lending = app.post("/lend");
            long reading = app.get("/read");
            app.natives().body(lending, "ab", false);
            app.natives().body(lending, "c", true);
            app.expect(lending, "200 abc", reading, "200 ABC");
        }
    }

    @Test
    void aCancelReachesItsOwner() throws Exception {
        for (int i = 0; i < 2; i++) {
            long waiting = app.get("/wait");
            app.natives().closed(waiting, EndReason.CLIENT_GONE);
            app.all(waiting);
            app.skip();
            assertEquals("200 ended", app.answer(app.get("/ended")));
            app.skip();
        }
    }
}
