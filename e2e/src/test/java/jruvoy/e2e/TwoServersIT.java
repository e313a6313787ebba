// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Servers on one machine do not disturb each other, and never share a port in silence. */
class TwoServersIT {
    @Test
    void oneEndsAndTheOtherServesOn() {
        try (ServerProcess first = ServerLaunch.serve("drain").ready();
                ServerProcess second = ServerLaunch.serve("serve").ready()) {
            AtomicBoolean over = new AtomicBoolean();
            Future<Integer> asked = Swarm.start(() -> ask(second, over));
            assertEquals("pong", first.get("/ping").text());
            assertSamePortIsRefused(first);
            assertEquals(0, first.stop(), first::tail);
            over.set(true);
            assertNotEquals(0, Swarm.result(asked));
            assertEquals(0, second.stop(), second::tail);
        }
    }

    private static int ask(ServerProcess server, AtomicBoolean over) {
        int asked = 0;
        try (Http1Socket socket = new Http1Socket(server.port)) {
            while (!over.get()) {
                assertEquals("Hello, World!", socket.get("/hello").answer().text());
                asked++;
                Eventually.pause(5);
            }
        }
        return asked;
    }

    private static void assertSamePortIsRefused(ServerProcess first) {
        ServerLaunch launch = ServerLaunch.serve(Project.fixture("hello"), first.port);
        try (ServerProcess intruder = launch.started()) {
            assertEquals(1, intruder.exitStatus(), intruder::tail);
            assertFalse(
                    intruder.linesWith("in use", Integer.toString(first.port)).isEmpty(), intruder::tail);
        }
        for (int index = 0; index < 20; index++) {
            assertEquals("pong", first.get("/ping").text());
        }
    }
}
