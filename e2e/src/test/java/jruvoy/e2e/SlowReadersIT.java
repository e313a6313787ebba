// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
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
    private static final long WANTED = sumOfBlocks();

    private final ServerProcess server = SHARED.process();

    @Test
    void memoryIsBoundedToTheLastByteOfEveryReader() {
        read("warm-up", BLOCKS / 8, READERS);
        long idle = server.residentMib();
        List<Reader> readers = new ArrayList<>();
        try {
            for (int index = 0; index < READERS; index++) {
                readers.add(new Reader(new Http1Socket(server.port, BLOCK).get("/each/slow?blocks=" + BLOCKS)));
            }
            readers.forEach(reader -> assertEquals(200, reader.socket.head().status()));
            long taken = round(readers, 4);
            long made = Eventually.still("bytes made", () -> server.count("slow"));
            assertTrue(made < READERS * 8 * MIB + taken, made + " bytes were made for " + READERS + " readers");
            long peak = server.residentMib();
            assertEquals("pong", server.get("/ping").text());
            while (round(readers, 16) > 0) {
                peak = Math.max(peak, server.residentMib());
            }
            assertTrue(peak - idle < 64, "resident memory grew by " + (peak - idle) + " MiB over " + idle);
            readers.forEach(Reader::assertWhole);
        } finally {
            readers.forEach(reader -> reader.socket.abort());
        }
        assertEquals("pong", server.get("/ping").text());
    }

    /** Every reader takes so many chunks while all the others stand still. @return bytes that were taken */
    private static long round(List<Reader> readers, int chunks) {
        return readers.stream().mapToLong(reader -> reader.take(chunks)).sum();
    }

    /** One client, and what its answer is compared by. */
    private static final class Reader {
        private final Http1Socket socket;
        private final CRC32 sum = new CRC32();
        private long size;
        private boolean ended;

        Reader(Http1Socket socket) {
            this.socket = socket;
        }

        long take(int chunks) {
            long before = size;
            for (int count = 0; count < chunks && !ended; count++) {
                byte[] chunk = socket.nextChunk();
                ended = chunk == null;
                if (!ended) {
                    sum.update(chunk);
                    size += chunk.length;
                }
            }
            return size - before;
        }

        void assertWhole() {
            assertEquals((long) BLOCKS * BLOCK, size);
            assertEquals(WANTED, sum.getValue());
        }
    }

    private static long sumOfBlocks() {
        byte[] block = new byte[BLOCK];
        for (int index = 0; index < BLOCK; index++) {
            block[index] = (byte) (index % 251);
        }
        CRC32 sum = new CRC32();
        for (int count = 0; count < BLOCKS; count++) {
            sum.update(block);
        }
        return sum.getValue();
    }

    /** Whole answers at ordinary speed, so that code is compiled, and fibers and buffers have been there once. */
    private void read(String key, int blocks, int readers) {
        Swarm.all(readers, index -> {
            HttpAnswer answer = server.get("/each/" + key + "?blocks=" + blocks);
            assertEquals((long) blocks * BLOCK, answer.body().length);
            return true;
        });
    }
}
