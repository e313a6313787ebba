// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waits end when their descriptor is ready, each by its own event, and the sleep ends when it is told to. */
class DescriptorsTest {
    private static final long SECOND = 1_000_000_000L;

    private final ReadyList ready = new ReadyList();
    private final Descriptors descriptors = new Descriptors(ready);
    /** An eventfd stands for any descriptor: writable at once, readable once it was written. */
    private final int fd = Libc.C.eventfd(0, Libc.CLOEXEC | Libc.NONBLOCK);

    @AfterEach
    void close() {
        Libc.C.close(fd);
        descriptors.close();
    }

    @Test
    void aWaitBecomesReadyWithItsEvent() {
        DescriptorWait wait = armed(Libc.POLLIN);
        descriptors.await(0);
        assertTrue(ready.isEmpty());
        signal();
        descriptors.await(SECOND);
        assertSame(wait, ready.takeAll());
        assertEquals(Libc.POLLIN, wait.result());
        assertTrue(descriptors.isIdle());
    }

    @Test
    void twoWaitsOfOneDescriptorEndEachByItsOwnEvent() {
        DescriptorWait reader = armed(Libc.POLLIN);
        DescriptorWait writer = armed(Libc.POLLOUT);
        descriptors.await(SECOND);
        assertSame(writer, ready.takeAll());
        assertFalse(descriptors.isIdle());
        signal();
        descriptors.await(SECOND);
        assertSame(reader, ready.takeAll());
    }

    @Test
    void aWaitThatIsOverIsNotHeardOf() {
        DescriptorWait wait = armed(Libc.POLLIN);
        descriptors.disarm(wait);
        signal();
        descriptors.await(0);
        assertNull(ready.takeAll());
        assertTrue(descriptors.isIdle());
    }

    @Test
    void aWaitThatWasNeverArmedCanBeOver() {
        descriptors.disarm(new DescriptorWait(null, 1000, Libc.POLLIN));
        assertTrue(descriptors.isIdle());
    }

    @Test
    void aDescriptorCanBeWaitedForAgain() {
        for (int i = 0; i < 3; i++) {
            signal();
            DescriptorWait wait = armed(Libc.POLLIN);
            descriptors.await(SECOND);
            assertSame(wait, ready.takeAll());
        }
    }

    @Test
    void closingEndsTheWaitsThatGetAnError() {
        DescriptorWait wait = armed(Libc.POLLIN);
        assertFalse(descriptors.close(fd, each -> null));
        assertTrue(ready.isEmpty());
        assertFalse(descriptors.close(fd + 1000, each -> null));
        descriptors.disarm(wait);
    }

    @Test
    void aRegularFileCannotBeWatched(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");
        try (var channel = Files.newByteChannel(file)) {
            int number = org.jruby.util.io.FilenoUtil.filenoFrom(channel);
            assertTrue(channel.isOpen());
            assertFalse(descriptors.arm(new DescriptorWait(null, number, Libc.POLLIN)));
            assertTrue(descriptors.isIdle());
        }
    }

    @Test
    void aSleepEndsByAWakeAndByItsTime() {
        descriptors.wake();
        descriptors.await(-1);
        long start = System.nanoTime();
        descriptors.await(SECOND / 100);
        assertTrue(System.nanoTime() - start >= SECOND / 100);
    }

    @Test
    void bytesAreMovedExactly() {
        DescriptorIo io = new DescriptorIo(descriptors);
        ByteBuffer out = ByteBuffer.allocate(8).order(java.nio.ByteOrder.nativeOrder());
        out.putLong(0, 5);
        assertEquals(8, io.write(fd, out));
        ByteBuffer in =
                ByteBuffer.allocate(16).order(java.nio.ByteOrder.nativeOrder()).position(4);
        assertEquals(8, io.read(fd, in));
        assertEquals(5, in.getLong(4));
        assertEquals(12, in.position());
        assertEquals(-Libc.EAGAIN, io.read(fd, ByteBuffer.allocate(8)));
    }

    private DescriptorWait armed(int events) {
        DescriptorWait wait = new DescriptorWait(null, fd, events);
        assertTrue(descriptors.arm(wait));
        return wait;
    }

    private void signal() {
        Pointer one = Memory.allocateDirect(Runtime.getSystemRuntime(), 8);
        one.putLong(0, 1);
        assertEquals(8, Libc.C.write(fd, one.address(), 8));
    }
}
