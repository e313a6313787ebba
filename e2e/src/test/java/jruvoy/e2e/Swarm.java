// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Work beside the test's thread, on virtual threads. Thread: any. */
final class Swarm {
    private Swarm() {}

    /** Starts one piece of work. */
    static <T> Future<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }

    /** Starts work for each index below a count and returns the futures in that order. */
    static <T> List<Future<T>> startAll(int count, IntFunction<T> work) {
        List<Future<T>> started = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            int own = index;
            started.add(start(() -> work.apply(own)));
        }
        return started;
    }

    /** Runs work for each index at once and returns the results in order. */
    static <T> List<T> all(int count, IntFunction<T> work) {
        return startAll(count, work).stream().map(Swarm::result).toList();
    }

    /** Waits for a result; a failure of the work is a failure here. */
    static <T> T result(Future<T> work) {
        try {
            return work.get(2 * Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException exception) {
            throw new AssertionError(exception.getCause());
        } catch (TimeoutException exception) {
            throw new AssertionError("work beside the test is stuck", exception);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupt);
        }
    }
}
