// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a handler does wrong costs its own request, and what it leaves behind reaches no other one. */
class HygieneIT {
    /** What /find says where nothing is left of another request. */
    static final String NOTHING_FOUND =
            "nil nil nil nil [] [] [] false true false false false false false false nil nil false false true";

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("hygiene", "--max-requests", "20");

    private final ServerProcess server = SHARED.process();

    /** What /fail can do. */
    static List<String> failures() {
        return List.of(
                "raise",
                "exception",
                "script_error",
                "throw",
                "exit",
                "exit_now",
                "abort",
                "stack",
                "memory",
                "signal",
                "interrupt",
                "kill",
                "thread_exit",
                "kill_with_lock",
                "killed",
                "raised",
                "yield",
                "set_scheduler",
                "java",
                "java_error",
                "masked",
                "stop",
                "child_exit",
                "late_child_exit",
                "late_child_error",
                "late_child_thread_exit",
                "body");
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureCostsOneRequest(String kind) {
        try (Http1Socket neighbour = new Http1Socket(server.port)) {
            neighbour.get("/keep/neighbour");
            HttpAnswer answer = server.get("/fail/" + kind);
            assertEquals(500, answer.status(), server::tail);
            assertFalse(answer.text().contains("secret"), answer.text());
            assertEquals("neighbour", neighbour.answer().text(), server::tail);
        }
        assertEquals(NOTHING_FOUND, server.get("/find").text());
    }

    @Test
    void nothingIsLeftForTheNextRequest() {
        // So many, and three each, that one which leaves something is the last of its fiber.
        for (int round = 0; round < 120; round++) {
            assertEquals("left", server.get("/leave/round" + round).text());
            assertEquals(NOTHING_FOUND, server.get("/find").text());
            assertEquals("pong", server.get("/ping").text());
        }
    }

    @Test
    void fiberServesManyRequestsAndIsReplaced() {
        Set<String> fibers = new HashSet<>();
        for (int round = 0; round < 500; round++) {
            fibers.add(server.get("/fiber").text());
        }
        assertTrue(fibers.size() > 4 && fibers.size() < 50, fibers.size() + " fibers");
    }

    @Test
    void threadVariablesAreOfOneRequest() {
        List<String> keys =
                Swarm.all(15, index -> server.get("/keep/key" + index).text());
        for (int index = 0; index < keys.size(); index++) {
            assertEquals("key" + index, keys.get(index));
        }
    }

    @Test
    void childrenEndWithTheirRequest() {
        assertEquals("2", server.get("/children/c").text());
        Eventually.holds("the child ends", () -> server.journal("c").contains("ensure"));
        assertFalse(server.journal("c").contains("finished"));
        assertEquals(NOTHING_FOUND, server.get("/find").text(), "a child that does not end yet keeps its own fiber");
        server.get("/open/c");
        Eventually.holds("the other ends", () -> server.journal("c").contains("stubborn ended"));
        Eventually.holds("told", () -> server.log().contains("/children/c"));
        assertTrue(server.log().contains("left 2 tasks, which were stopped with it"), server::tail);
    }

    @Test
    void whatServesAllRequestsOutlivesTheOneThatBeganIt() {
        for (int round = 0; round < 5; round++) {
            assertEquals("served", server.get("/shared").text());
        }
    }

    @Test
    void exceptionForARequestThatIsOverIsNothing() {
        for (int round = 0; round < 3; round++) {
            int expected = round + 1;
            assertEquals("left", server.get("/late").text());
            Eventually.holds("raised", () -> server.get("/count/late").text().equals(Integer.toString(expected)));
        }
        assertEquals(NOTHING_FOUND, server.get("/find").text());
    }
}
