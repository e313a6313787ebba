// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jruby.runtime.ThreadContext;
import org.junit.jupiter.api.Test;

/** What is ready runs once, in the order in which each thread pushed it. */
class ReadyListTest {
    private static final int PRODUCERS = 4;
    private static final int EACH = 20_000;

    private final ReadyList list = new ReadyList();

    private static final class Numbered extends ReadyEntry {
        final int producer;
        final int number;

        Numbered(int producer, int number) {
            this.producer = producer;
            this.number = number;
        }

        @Override
        void run(ThreadContext context) {}
    }

    private static final class Abandoned extends ReadyEntry {
        final int number;
        private final List<Integer> abandoned;

        Abandoned(int number, List<Integer> abandoned) {
            this.number = number;
            this.abandoned = abandoned;
        }

        @Override
        void run(ThreadContext context) {}

        @Override
        void abandon() {
            abandoned.add(number);
        }
    }

    @Test
    void keepsTheOrderAndTakesAll() {
        for (int i = 0; i < 3; i++) {
            list.push(new Numbered(0, i));
        }
        List<Integer> taken = new ArrayList<>();
        for (ReadyEntry entry = list.takeAll(); entry != null; entry = entry.next) {
            taken.add(((Numbered) entry).number);
        }
        assertEquals(List.of(0, 1, 2), taken);
        assertTrue(list.isEmpty());
        assertNull(list.takeAll());
    }

    @Test
    void abandonsWhatIsLeftAtTheEndAndWhatComesLater() {
        List<Integer> abandoned = new ArrayList<>();
        IntStream.range(0, 3).forEach(number -> list.push(new Abandoned(number, abandoned)));
        list.begin();
        assertEquals(0, ((Abandoned) list.next()).number);
        list.push(new Abandoned(3, abandoned));
        list.end();
        list.push(new Abandoned(4, abandoned));
        assertEquals(List.of(1, 2, 3, 4), abandoned);
        assertTrue(list.isEmpty());
    }

    @Test
    void losesNothingOfManyProducers() throws InterruptedException {
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            producers.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < EACH; i++) {
                    list.push(new Numbered(producer, i));
                }
            }));
        }
        int[] next = new int[PRODUCERS];
        int left = PRODUCERS * EACH;
        while (left > 0) {
            for (ReadyEntry entry = list.takeAll(); entry != null; entry = entry.next) {
                Numbered numbered = (Numbered) entry;
                assertEquals(next[numbered.producer]++, numbered.number);
                left--;
            }
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertArrayEquals(new int[] {EACH, EACH, EACH, EACH}, next);
    }
}
