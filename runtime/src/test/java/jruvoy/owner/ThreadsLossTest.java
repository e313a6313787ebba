// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jruvoy.bridge.FakeNatives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Threads that wait for their owner when it dies, or need it later, are told. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ThreadsLossTest {
    private static final String RACKUP = """
            SELECTORS = []
            Jruvoy::Selector.prepend(Module.new do
              def initialize(*)
                super
                SELECTORS << self
              end
            end)
            # Lets as many turns of the loop fail as the scheduler does not put up with.
            Broken = Struct.new(:selector, :left) do
              def alive? = (self.left -= 1) >= 0
              def transfer
                selector.push(self)
                raise NoMemoryError, "no luck"
              end
            end
            def read(name, env)
              File.write("#{name}-began", "")
              env["rack.input"].read
            rescue Exception => error
              File.write("#{name}-tmp", "#{error.class}: #{error.message}")
              File.rename("#{name}-tmp", name)
            end
            def linger
              java.lang.Thread.sleep(5) until File.exist?("dead")
            rescue java.lang.InterruptedException
              retry
            end
            run(lambda do |env|
              case env["PATH_INFO"]
              when "/die"
                SELECTORS.first.push(Broken.new(SELECTORS.first, Jruvoy::Scheduler::FAILURES + 1))
                sleep
              when "/waiting"
                Thread.new { read("waiting", env) }
                sleep
              when "/late"
                File.write("late-began", "")
                linger
                read("late", env)
              end
              [200, {}, ["served"]]
            end)
            """;

    @TempDir
    private Path folder;

    @Test
    void threadsThatNeedTheirOwnerAfterItsEndAreTold() throws Exception {
        try (OwnerHarness app = OwnerHarness.threaded(folder, RACKUP)) {
            assertNull(app.failure());
            app.post("/waiting");
            app.post("/late");
            await("waiting-began");
            await("late-began");
            app.get("/die");
            int open = 3;
            while (open > 0) {
                FakeNatives.Message message = app.next();
                String status = message.header(":status");
                assertEquals("500", status == null ? "500" : status);
                open -= message.releases() ? 1 : 0;
            }
            assertEquals(0, app.natives().lost.take());
            assertEquals("IOError: the stream's owner has ended", await("waiting"));
            Files.createFile(folder.resolve("dead"));
            assertEquals("IOError: the stream's owner has ended", await("late"));
        }
    }

    private String await(String name) throws Exception {
        Path file = folder.resolve(name);
        while (!Files.exists(file)) {
            Thread.sleep(10);
        }
        return Files.readString(file);
    }
}
