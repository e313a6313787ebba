// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jruvoy.bridge.Log;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An owner that is held by a request, and by a task of a request: what the log says. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StallTest {
    private static final String RACKUP = """
            def hold = java.lang.Thread.sleep(1500)
            run(lambda do |env|
              hold if env["PATH_INFO"] == "/hold"
              Async { hold }.wait if env["PATH_INFO"] == "/task"
              sleep 1 if env["PATH_INFO"] == "/sleep"
              [200, {}, ["done"]]
            end)
            """;

    @TempDir
    private Path folder;

    @Test
    void theRequestAndItsRubyAreNamedOnce() throws Exception {
        try (OwnerHarness owner = OwnerHarness.of(folder, RACKUP)) {
            Log.install(owner.natives());
            assertEquals("200 done", owner.answer(owner.get("/sleep")));
            assertEquals("200 done", owner.answer(owner.get("/hold?secret")));
            assertEquals("200 done", owner.answer(owner.get("/task")));
            assertEquals(2, owner.natives().logged("has been held for").size());
            String hold = owner.natives()
                    .logged("by GET /hold; its other requests wait (stall 1)\n")
                    .getFirst();
            assertTrue(hold.startsWith("owner 0 has been held for "), hold);
            assertTrue(hold.contains("config.ru:1:in 'hold'"), hold);
            String task = owner.natives().logged("by a task of GET /task;").getFirst();
            assertTrue(task.contains("(stall 2)\n"), task);
            assertTrue(task.contains("config.ru:1:in 'hold'"), task);
        }
    }
}
