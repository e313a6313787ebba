// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An upload that is much bigger than any memory it may use: bytes are on the way between client and app only as far as
 * the windows go, and resident memory stands still. The heap is fixed and touched at the start, so that its growth is not
 * counted; the property jruvoy.e2e.upload.mib changes the size.
 */
class LargeUploadIT {
    @RegisterExtension
    static final SharedServer SHARED =
            new SharedServer("backpressure", "--jvm-option=-Xms256m", "--jvm-option=-XX:+AlwaysPreTouch");

    private static final int MIB = 1 << 20;
    private static final long UPLOAD = Long.getLong("jruvoy.e2e.upload.mib", 1_024) * MIB;
    private static final long WARM_UP = 96L * MIB;
    private static final byte[] BLOCK = Digests.bytes(new Random(1), 65_536);

    private final ServerProcess server = SHARED.process();

    /** Peaks seen while an upload runs. */
    private record Peaks(long onTheWay, long residentMib) {}

    @Test
    void uploadOverHttp1NeedsNoMemory() {
        upload("warm-up-1", WARM_UP);
        long before = server.residentMib();
        Peaks peaks = upload("large", UPLOAD);
        assertBounded(peaks, before);
    }

    @Test
    void uploadOverHttp2NeedsNoMemory() {
        uploadOnHttp2("warm-up-2", WARM_UP);
        long before = server.residentMib();
        Peaks peaks = uploadOnHttp2("large-h2", UPLOAD / 4);
        assertBounded(peaks, before);
    }

    private static void assertBounded(Peaks peaks, long before) {
        assertTrue(peaks.onTheWay() < 16L * MIB, peaks.onTheWay() + " bytes were on the way at once");
        long growth = peaks.residentMib() - before;
        assertTrue(growth < 32, "resident memory grew by " + growth + " MiB");
    }

    private Peaks upload(String key, long size) {
        AtomicLong sent = new AtomicLong();
        try (Http1Socket socket = new Http1Socket(server.port)) {
            socket.request("POST", "/sink/" + key, "content-length: " + size);
            Future<String> sum = Swarm.start(() -> {
                CRC32 crc = new CRC32();
                for (long left = size; left > 0; left -= BLOCK.length) {
                    socket.send(BLOCK);
                    crc.update(BLOCK);
                    sent.addAndGet(BLOCK.length);
                }
                return Long.toHexString(crc.getValue());
            });
            Peaks peaks = watch(key, sent, sum);
            assertEquals(Swarm.result(sum), socket.answer().text());
            assertEquals(size, server.count(key));
            return peaks;
        }
    }

    private Peaks uploadOnHttp2(String key, long size) {
        AtomicLong sent = new AtomicLong();
        try (Http2Socket socket = new Http2Socket(server.port)) {
            int stream = socket.open("POST", "/sink/" + key, false);
            Future<String> sum = Swarm.start(() -> {
                CRC32 crc = new CRC32();
                for (long left = size; left > 0; left -= BLOCK.length) {
                    socket.data(stream, BLOCK, left == BLOCK.length);
                    crc.update(BLOCK);
                    sent.addAndGet(BLOCK.length);
                }
                return Long.toHexString(crc.getValue());
            });
            Peaks peaks = watch(key, sent, sum);
            assertEquals(Swarm.result(sum), socket.answer(stream).text());
            assertEquals(size, server.count(key));
            return peaks;
        }
    }

    /** Looks every now and then until all is sent. What is sent is read first: the difference is never too big. */
    private Peaks watch(String key, AtomicLong sent, Future<String> work) {
        long onTheWay = 0;
        long residentMib = server.residentMib();
        while (!work.isDone()) {
            long sentBefore = sent.get();
            onTheWay = Math.max(onTheWay, sentBefore - server.count(key));
            residentMib = Math.max(residentMib, server.residentMib());
            Eventually.pause(50);
        }
        return new Peaks(onTheWay, residentMib);
    }
}
