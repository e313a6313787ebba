// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jruvoy.bridge.EndReason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever reads or writes a stream that is over, or waits for one that ends, is told so and waits no longer. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AbandonedStreamTest {
    private static final int RESET = 5;
    private static final int RELEASE = 7;

    private static final String RACKUP = """
            INPUTS, THREADS = Queue.new, Queue.new
            BESIDE = ->(work) { Thread.new(&work).tap { |thread| thread.report_on_exception = false } }
            TOLD = lambda do |&work|
              work.call
              [200, {}, ["nothing"]]
            rescue => error
              [200, {}, [error.class.name]]
            end
            run(lambda do |env|
              input = env["rack.input"]
              case env["PATH_INFO"]
              when "/keep" then INPUTS << input; [200, {}, ["kept"]]
              when "/kept" then TOLD.call { INPUTS.pop.read }
              when "/leave_reader"
                THREADS << BESIDE.call(-> { input.read })
                sleep 0.05
                [200, {}, ["left"]]
              when "/leave_writer"
                [200, {}, lambda do |stream|
                  THREADS << BESIDE.call(-> { loop { stream.write("x" * 65_536) } })
                  sleep 0.05
                  raise "no more"
                end]
              when "/left" then TOLD.call { THREADS.pop.value }
              when "/close"
                reader = BESIDE.call(-> { input.read })
                sleep 0.05
                input.close
                TOLD.call { reader.value }
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
    static void stop() {
        owner.close();
    }

    @Test
    void anInputThatOutlivesItsRequestIsClosed() throws Exception {
        assertEquals("200 kept", owner.answer(owner.post("/keep")));
        assertEquals("200 IOError", owner.answer(owner.get("/kept")));
    }

    @Test
    void aThreadThatStillReadsIsTold() throws Exception {
        assertEquals("200 left", owner.answer(owner.post("/leave_reader")));
        assertEquals("200 IOError", owner.answer(owner.get("/left")));
    }

    @Test
    void aThreadThatStillWritesIsTold() throws Exception {
        long handle = owner.get("/leave_writer");
        while (owner.next().kind() != RESET) {
            // The thread has filled the window, and the worker holds all of it.
        }
        owner.natives().closed(handle, EndReason.APP_ERROR);
        assertEquals(RELEASE, owner.next().kind());
        assertEquals("200 Errno::EPIPE", owner.answer(owner.get("/left")));
    }

    @Test
    void aReadThatWaitsEndsWithTheClose() throws Exception {
        assertEquals("200 IOError", owner.answer(owner.post("/close")));
    }
}
