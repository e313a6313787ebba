// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Waits for things that happen soon but not at once; every limit is generous. Thread: any. */
final class Eventually {
    /** How long anything may take before a test calls it stuck; the property jruvoy.e2e.seconds changes it. */
    static final Duration LIMIT = Duration.ofSeconds(Long.getLong("jruvoy.e2e.seconds", 180));

    private static final long STEP_MILLIS = 10;

    private Eventually() {}

    /** Waits until a condition holds; fails with what was expected when it does not within {@link #LIMIT}. */
    static void holds(String what, Callable<Boolean> condition) {
        value(what, condition, answer -> answer);
    }

    /** Waits until a value pleases and returns it; the last value is in the failure. */
    static <T> T value(String what, Callable<T> source, Predicate<T> pleases) {
        long end = System.nanoTime() + LIMIT.toNanos();
        T last = call(source);
        while (!pleases.test(last)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("never: " + what + "; last seen: " + last);
            }
            pause(STEP_MILLIS);
            last = call(source);
        }
        return last;
    }

    /** Waits until a number has stood still for half a second, and returns it. */
    static long still(String what, Callable<Long> source) {
        long end = System.nanoTime() + LIMIT.toNanos();
        long last = call(source);
        int same = 0;
        while (same < 10) {
            if (System.nanoTime() > end) {
                throw new AssertionError("never stood still: " + what + "; last seen: " + last);
            }
            pause(50);
            long now = call(source);
            same = now == last ? same + 1 : 0;
            last = now;
        }
        return last;
    }

    /** Sleeps. */
    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupt);
        }
    }

    private static <T> T call(Callable<T> source) {
        try {
            return source.call();
        } catch (RuntimeException exception) {
            throw exception;
        } catch (Exception exception) {
            throw new IllegalStateException(exception);
        }
    }
}
