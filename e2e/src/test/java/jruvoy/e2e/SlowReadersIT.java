// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A hundred clients that read 50 MB each, slowly: what waits for them is in the app's future, not in memory. The heap is
 * fixed and touched at the start, so that its growth is not counted.
 */
class SlowReadersIT {
    @RegisterExtension
    static final SharedServer SHARED =
            new SharedServer("backpressure", "--jvm-option=-Xms256m", "--jvm-option=-XX:+AlwaysPreTouch");

    private static final int READERS = 100;
    private static final int BLOCKS = 800;
    private static final int BLOCK = 65_536;
    private static final long MIB = 1 << 20;

    private final ServerProcess server = SHARED.process();

    @Test
    void memoryIsBoundedAndNobodyStarves() {
        read("warm-up", 40, 8);
        long idle = server.residentMib();
        List<Http1Socket> sockets = new ArrayList<>();
        try {
            for (int index = 0; index < READERS; index++) {
                sockets.add(new Http1Socket(server.port, BLOCK).get("/each/slow?blocks=" + BLOCKS));
            }
            for (Http1Socket socket : sockets) {
                assertEquals(200, socket.head().status());
            }
            long peak = 0;
            int taken = 0;
            for (int round = 0; round < 4; round++) {
                for (Http1Socket socket : sockets) {
                    assertTrue(socket.take(BLOCK).length > 0);
                }
                taken += BLOCK;
                peak = Math.max(peak, server.residentMib());
            }
            long made = Eventually.still("bytes made", () -> server.count("slow"));
            peak = Math.max(peak, server.residentMib());
            assertTrue(made < READERS * (8 * MIB + taken), made + " bytes were made for " + READERS + " readers");
            assertTrue(peak - idle < 64, "resident memory grew by " + (peak - idle) + " MiB over " + idle);
            assertEquals("pong", server.get("/ping").text());
        } finally {
            sockets.forEach(Http1Socket::abort);
        }
        assertEquals("pong", server.get("/ping").text());
    }

    /** Whole answers at ordinary speed, so that code is compiled and buffers have been there once. */
    private void read(String key, int blocks, int readers) {
        Swarm.all(readers, index -> {
            HttpAnswer answer = server.get("/each/" + key + "?blocks=" + blocks);
            assertEquals((long) blocks * BLOCK, answer.body().length);
            return true;
        });
    }
}
