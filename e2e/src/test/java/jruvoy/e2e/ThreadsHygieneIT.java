// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link HygieneIT}, in {@code mode: threads}: one thread, so that each request meets what the last one left. */
class ThreadsHygieneIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("hygiene", "--mode", "threads", "--threads", "1");

    private final ServerProcess server = SHARED.process();

    @ParameterizedTest
    @MethodSource("jruvoy.e2e.HygieneIT#failures")
    void failureCostsOneRequest(String kind) {
        HttpAnswer answer = server.get("/fail/" + kind);
        // The head leaves as soon as the body begins.
        boolean cut = kind.equals("body") && !answer.complete();
        assertTrue(cut || answer.status() == 500, server::tail);
        assertFalse(answer.text().contains("secret"), answer.text());
        assertEquals(HygieneIT.NOTHING_FOUND, server.get("/find").text());
    }

    @Test
    void nothingIsLeftForTheNextRequest() {
        for (int round = 0; round < 20; round++) {
            assertEquals("left", server.get("/leave/round" + round).text());
            assertEquals(HygieneIT.NOTHING_FOUND, server.get("/find").text());
        }
    }

    @Test
    void threadVariablesAreOfOneRequest() {
        List<String> keys =
                Swarm.all(5, index -> server.get("/keep/key" + index).text());
        for (int index = 0; index < keys.size(); index++) {
            assertEquals("key" + index, keys.get(index));
        }
    }

    @Test
    void exceptionForARequestThatIsOverIsNothing() {
        for (int round = 1; round <= 3; round++) {
            assertEquals("left", server.get("/late").text());
            // Nothing is served meanwhile: the exception meets the idle thread.
            Eventually.pause(500);
            assertEquals(HygieneIT.NOTHING_FOUND, server.get("/find").text());
            String expected = Integer.toString(round);
            Eventually.holds("raised", () -> server.get("/count/late").text().equals(expected));
        }
    }
}
