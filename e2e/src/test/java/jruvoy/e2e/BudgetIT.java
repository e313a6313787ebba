// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The process's budget of body bytes is spent by readers that stand still: what was begun ends well once they read. */
class BudgetIT {
    @RegisterExtension
    static final SharedServer SHARED = new SharedServer("backpressure", "--max-buffered-bytes", "1MiB");

    private static final int READERS = 24;
    private static final int BLOCKS = 200;
    private static final int BLOCK = 65_536;

    private final ServerProcess server = SHARED.process();

    @Test
    void everyAnswerEndsThoughTheBudgetWasSpent() throws InterruptedException {
        List<Http1Socket> sockets = new ArrayList<>();
        List<HttpAnswer> heads = new ArrayList<>();
        for (int reader = 0; reader < READERS; reader++) {
            Http1Socket socket = new Http1Socket(server.port, BLOCK);
            sockets.add(socket.get("/each/budget?blocks=" + BLOCKS));
            heads.add(socket.head());
        }
        // The server refuses to be asked how far it has got.
        Thread.sleep(1_000);
        long served = heads.stream().filter(head -> head.status() == 200).count();
        assertTrue(served >= 4, served + " were served");
        Swarm.all(READERS, reader -> {
            try (Http1Socket socket = sockets.get(reader)) {
                HttpAnswer answer = socket.rest(heads.get(reader));
                assertTrue(answer.complete(), "answer " + reader + " is cut");
                if (answer.status() == 200) {
                    assertEquals((long) BLOCKS * BLOCK, answer.body().length);
                } else {
                    assertEquals(503, answer.status());
                }
                return true;
            }
        });
        assertEquals(200, server.get("/each/after?blocks=1").status());
    }
}
