// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The loop and everything it starts runs on one carrier, and nowhere else. */
class OwnerThreadTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void threadsOfTheLoopShareItsCarrier() throws InterruptedException {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicReference<OwnerThread> seen = new AtomicReference<>();
        OwnerThread owner = OwnerThread.start("owner-test", () -> {
            seen.set(OwnerThread.current());
            Thread[] fibers = new Thread[20];
            for (int i = 0; i < fibers.length; i++) {
                fibers[i] = Thread.ofVirtual().start(() -> {
                    for (int turn = 0; turn < 100; turn++) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                        Thread.yield();
                    }
                });
            }
            joinAll(fibers);
        });
        assertTrue(owner.join(LIMIT));
        assertTrue(owner.isVirtual());
        assertEquals(1, most.get());
        assertSame(owner, seen.get());
    }

    @Test
    void knowsWhoItsThreadsAre() throws InterruptedException {
        AtomicReference<Boolean> loop = new AtomicReference<>();
        AtomicReference<Boolean> fiber = new AtomicReference<>();
        CountDownLatch started = new CountDownLatch(1);
        AtomicReference<OwnerThread> self = new AtomicReference<>();
        OwnerThread owner = OwnerThread.start("owner-test", () -> {
            await(started);
            loop.set(self.get().isCurrent());
            Thread other = Thread.ofVirtual().start(() -> fiber.set(self.get().isCurrent()));
            joinAll(other);
        });
        self.set(owner);
        started.countDown();
        assertTrue(owner.join(LIMIT));
        assertEquals(true, loop.get());
        assertEquals(true, fiber.get());
        assertFalse(owner.isCurrent());
        assertNull(OwnerThread.current());
    }

    @Test
    void takesWorkOfOtherThreads() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        OwnerThread owner = OwnerThread.start("owner-test", () -> await(go));
        CountDownLatch ran = new CountDownLatch(1);
        owner.execute(ran::countDown);
        assertTrue(ran.await(LIMIT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS));
        go.countDown();
        assertTrue(owner.join(LIMIT));
    }

    private static void joinAll(Thread... threads) {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
