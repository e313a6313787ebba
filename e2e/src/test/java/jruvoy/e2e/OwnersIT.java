// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two owners run one app: what they share, and that neither waits for the other. */
class OwnersIT {
    private static final String[] TWO = {"--concurrency", "2", "--owners", "2"};
    private static final int MANY = 16;

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("owners", TWO);

    private final ServerProcess server = SHARED.process();

    @Test
    void bothServeAndSayThatThereAreThreads() {
        List<Http1Socket> sockets = oneForEachOwner(server);
        assertEquals(2, sockets.size());
        sockets.forEach(Http1Socket::close);
    }

    @Test
    void burnerHoldsItsOwnerOnly() {
        for (Http1Socket socket : oneForEachOwner(server)) {
            String key = "burner" + socket.hashCode();
            socket.get("/spin/" + key);
            awaitBurner(server, key);
            // New connections come to both workers, and to the one whose owner is held as well.
            for (int i = 0; i < MANY; i++) {
                assertEquals("pong", server.get("/ping").text());
            }
            assertEquals("done", server.get("/release/" + key).text());
            assertEquals("released", socket.answer().text());
            socket.close();
        }
    }

    @Test
    void workOfOneWorkerReachesBothOwners() {
        try (ServerProcess single = ServerLaunch.serve("owners", "--concurrency", "1", "--owners", "2")
                .ready()) {
            List<Http1Socket> sockets = oneForEachOwner(single);
            assertEquals(2, sockets.size());
            sockets.getFirst().get("/spin/one");
            awaitBurner(single, "one");
            for (int i = 0; i < MANY; i++) {
                assertEquals("pong", single.get("/ping").text());
            }
            assertEquals("done", single.get("/release/one").text());
            assertEquals("released", sockets.getFirst().answer().text());
            sockets.forEach(Http1Socket::close);
        }
    }

    @Test
    void queueJoinsRequestsOfBoth() {
        List<String> answers = Swarm.all(
                2 * MANY,
                index ->
                        server.get(index < MANY ? "/pop" : "/push/item" + index).text());
        assertEquals(MANY, Collections.frequency(answers, "pushed"));
        for (int index = MANY; index < 2 * MANY; index++) {
            assertTrue(answers.contains("item" + index), answers::toString);
        }
    }

    @Test
    void clientsThatLeaveInterruptTheirHandlers() {
        List<Http1Socket> sockets = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            sockets.add(new Http1Socket(server.port).get("/wait/left"));
        }
        Eventually.holds("handlers that wait", () -> Collections.frequency(server.journal("left"), "started") == MANY);
        sockets.forEach(Http1Socket::abort);
        Eventually.holds(
                "handlers that have ended",
                () -> Collections.frequency(server.journal("left"), "error Jruvoy::Cancelled") == MANY);
    }

    @Test
    void whatIsCountedWithALockIsRight() {
        Swarm.all(4, index -> server.get("/add/safe/20000").text());
        assertEquals("80000", server.get("/value/safe").text());
    }

    /** The rule is broken: two owners read the same value, and one of the two additions is lost. */
    @Test
    void whatIsCountedWithoutALockIsLost() {
        List<Http1Socket> sockets = oneForEachOwner(server);
        Eventually.pause(50); // Both sleep, so that each request goes to its own.
        sockets.forEach(socket -> socket.get("/add/meet"));
        sockets.forEach(socket -> assertEquals("added", socket.answer().text()));
        assertEquals("1", server.get("/value/meet").text());
        sockets.forEach(Http1Socket::close);
    }

    @Test
    void requestsOfBothFinishBeforeTheEnd() {
        try (ServerProcess draining = ServerLaunch.serve("owners", TWO).ready()) {
            List<Http1Socket> sockets = oneForEachOwner(draining);
            sockets.forEach(socket -> socket.get("/hold/gate"));
            Eventually.holds(
                    "held requests",
                    () -> Collections.frequency(draining.journal("gate"), "started") == sockets.size());
            draining.terminate();
            Eventually.pause(300);
            assertEquals("pong", draining.get("/ping").text());
            draining.open("gate");
            sockets.forEach(socket -> assertEquals("held", socket.answer().text()));
            assertEquals(0, draining.exitStatus(), draining::tail);
            assertEquals(1, draining.linesWith("at_exit has run").size(), draining::tail);
            sockets.forEach(Http1Socket::close);
        }
    }

    @Test
    void stuckRequestsOfBothAreCutAtTheDeadline() {
        try (ServerProcess draining = ServerLaunch.serve(
                        "owners", "--concurrency", "2", "--owners", "2", "--drain-timeout", "1s")
                .ready()) {
            List<Http1Socket> sockets = oneForEachOwner(draining);
            sockets.forEach(socket -> socket.get("/wait/stuck"));
            Eventually.holds(
                    "stuck requests",
                    () -> Collections.frequency(draining.journal("stuck"), "started") == sockets.size());
            assertEquals(0, draining.stop(), draining::tail);
            assertEquals(1, draining.linesWith("at_exit has run").size(), draining::tail);
            sockets.forEach(Http1Socket::close);
        }
    }

    /** The burner runs, and for long enough that workers see that its owner is held: nothing was asked meanwhile. */
    private static void awaitBurner(ServerProcess server, String key) {
        server.awaitLog("spinning for " + key);
        Eventually.pause(300);
    }

    /** Connections whose requests are served by different owners, while nothing is held. */
    private static List<Http1Socket> oneForEachOwner(ServerProcess server) {
        Map<String, Http1Socket> found = new HashMap<>();
        Eventually.holds("connections to both owners", () -> {
            Http1Socket socket = new Http1Socket(server.port);
            String owner = socket.get("/owner").answer().text();
            assertTrue(owner.endsWith(" true"), owner);
            Http1Socket other = found.putIfAbsent(owner, socket);
            if (other != null) {
                socket.close();
            }
            return found.size() == 2;
        });
        return List.copyOf(found.values());
    }
}
