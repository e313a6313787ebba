// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jruvoy.bridge.EndReason;
import jruvoy.bridge.FakeNatives;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a request that a thread serves ends: the stream is let go once, and Rack's promises are kept. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ThreadsTest {
    private static final int RELEASE = 7;
    private static final int LARGE = 200_000;

    private static final String RACKUP = """
            # Fails when its client has left, before any wait has told it so.
            class Broken
              def each
                yield "begun"
                Thread.pass until java.lang.Thread.current_thread.is_interrupted
                raise "broken"
              end

              def close = File.write("closed", "")
            end
            FINISHED = lambda do |_env, status, _headers, error|
              File.write("finished-tmp", "#{status} #{error&.message}")
              File.rename("finished-tmp", "finished")
            end
            run(lambda do |env|
              case env["PATH_INFO"]
              when "/large"
                [200, {}, ["x" * %d]]
              when "/broken"
                env["rack.response_finished"] << FINISHED
                [200, {}, Broken.new]
              when "/stubborn"
                begin
                  sleep
                rescue Jruvoy::Cancelled
                  [200, {}, ["all the same"]]
                end
              end
            end)
            """.formatted(LARGE);

    @TempDir
    private static Path folder;

    private static OwnerHarness app;

    @BeforeAll
    static void start() throws Exception {
        app = OwnerHarness.threaded(folder, RACKUP);
        assertNull(app.failure());
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Test
    void streamWhoseWorkerStillReadsIsLetGoWhenItHasClosed() throws Exception {
        long handle = app.get("/large");
        int bytes = 0;
        FakeNatives.Message message = app.next();
        while (!message.isEnd()) {
            bytes += message.body().length;
            message = app.next();
        }
        assertEquals(LARGE, bytes + message.body().length);
        app.natives().closed(handle, EndReason.COMPLETED);
        assertEquals(RELEASE, app.next().kind());
    }

    @Test
    void bodyOfALeaverIsClosedAndTheCallbacksRunWhenItFails() throws Exception {
        long handle = app.get("/broken");
        FakeNatives.Message message = app.next();
        while (!message.text().equals("begun")) {
            message = app.next();
        }
        app.natives().closed(handle, EndReason.CLIENT_GONE);
        while (!message.releases()) {
            message = app.next();
        }
        assertEquals("200 broken", Files.readString(folder.resolve("finished")));
        assertEquals("", Files.readString(folder.resolve("closed")));
    }

    @Test
    void answerOfACancelledRequestGoesNowhere() throws Exception {
        long handle = app.get("/stubborn");
        app.natives().closed(handle, EndReason.CLIENT_GONE);
        assertEquals(RELEASE, app.next().kind());
    }
}
