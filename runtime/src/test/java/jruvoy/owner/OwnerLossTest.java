// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Owners that die by an Error in their loop, one after the other. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OwnerLossTest {
    private static final String RACKUP = """
            at_exit { File.write("exits", "x", mode: "a") }
            # Lets as many turns of a loop fail as the scheduler does not put up with.
            Broken = Struct.new(:selector, :left) do
              def alive? = (self.left -= 1) >= 0
              def transfer
                selector.push(self)
                raise NoMemoryError, "no luck"
              end
            end
            run(lambda do |env|
              if env["PATH_INFO"] == "/die"
                selector = Fiber.scheduler.instance_variable_get(:@selector)
                selector.push(Broken.new(selector, Jruvoy::Scheduler::FAILURES + 1))
                sleep
              end
              sleep if env["PATH_INFO"] == "/wait"
              [200, {}, ["served"]]
            end)
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void itsRequestsAreAnsweredAndTheOtherGoesOn(int first) throws Exception {
        try (OwnerHarness app = OwnerHarness.of(folder, RACKUP, 2)) {
            assertNull(app.failure());
            if (first == 1) {
                app.skip();
            }
            long waiting = app.get("/wait");
            app.skip();
            app.expect(waiting, "500 Internal server error\n", app.get("/die"), "500 Internal server error\n");
            assertEquals(first, app.natives().lost.take());
            assertEquals("200 served", app.answer(app.get("/")));
            assertEquals("503 Service unavailable\n", app.answer(app.get("/")));
            assertEquals("500 Internal server error\n", app.answer(app.get("/die")));
            assertEquals(1 - first, app.natives().lost.take());
            assertEquals("503 Service unavailable\n", app.answer(app.get("/")));
            assertEquals("503 Service unavailable\n", app.answer(app.get("/")));
        }
        assertEquals("x", Files.readString(folder.resolve("exits")));
    }
}
