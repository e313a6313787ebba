// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * The one thread that runs an owner's Ruby: a platform thread, the carrier, that runs the owner's loop and all of its
 * fibers as virtual threads.
 *
 * <p>A fiber of JRuby is a virtual thread and inherits the executor of the thread that creates it. With the loop itself
 * on a virtual thread of this executor, a switch between fibers is a continuation yield on one OS thread; with the loop
 * on a platform thread it would be a hand-over between OS threads, several times as slow.
 *
 * <p>Thread: {@link #execute} and {@link #join} may be called by any thread, the rest as said at each method.
 */
public final class OwnerThread implements Executor {
    private static final long STACK_BYTES = 16L << 20;
    private static final Field SCHEDULER = schedulerField();

    private final ConcurrentLinkedQueue<Runnable> work = new ConcurrentLinkedQueue<>();
    private final Thread carrier;
    private Thread loop;
    private boolean virtual;
    /** Ends the loop's sleep; set by the selector that sleeps, called by any thread that brings work. */
    private volatile Runnable waker = () -> {};

    private volatile boolean ended;
    /** The carrier is about to park or parked. Written by the carrier; read by who has added work. */
    private volatile boolean parked;

    private OwnerThread(String name) {
        carrier = new Thread(null, this::carry, name, STACK_BYTES);
        carrier.setDaemon(true);
    }

    /**
     * Starts an owner and its loop.
     *
     * @param name the carrier's name; the loop's thread gets it with the suffix {@code -loop}
     * @param loop what the owner does from start to end; it creates its fibers itself
     * @return the running owner
     */
    public static OwnerThread start(String name, Runnable loop) {
        OwnerThread owner = new OwnerThread(name);
        owner.launch(name + "-loop", loop);
        return owner;
    }

    /**
     * The owner whose loop or fiber is calling.
     *
     * @return the owner, or null on any other thread and where the loop could not be made virtual
     */
    public static OwnerThread current() {
        Thread caller = Thread.currentThread();
        if (!caller.isVirtual() || SCHEDULER == null) {
            return null;
        }
        try {
            return SCHEDULER.get(caller) instanceof OwnerThread owner ? owner : null;
        } catch (IllegalAccessException closed) {
            return null;
        }
    }

    /**
     * Whether fibers switch on the carrier; false when the JDK hides its virtual thread builder and the loop had to be
     * a plain thread, which is correct but several times as slow.
     */
    public boolean isVirtual() {
        return virtual;
    }

    /** Whether the caller is this owner's loop or one of its fibers; without virtual threads only the loop counts. */
    public boolean isCurrent() {
        return Thread.currentThread() == loop || current() == this;
    }

    /** Runs a task on the carrier, waking the loop if it sleeps. Any thread; the JDK schedules virtual threads by it. */
    @Override
    public void execute(Runnable task) {
        work.add(task);
        // Mostly it is a fiber of this carrier that makes another one runnable: nobody sleeps then.
        if (parked) {
            LockSupport.unpark(carrier);
        } else {
            waker.run();
        }
    }

    /** Waits for the end of the loop. Any thread but the owner's. */
    public void join() throws InterruptedException {
        loop.join();
    }

    /** Waits for the end of the loop. Any thread but the owner's. @return false when the time passed first */
    public boolean join(Duration limit) throws InterruptedException {
        return loop.join(limit);
    }

    /** Whether other virtual threads of the carrier want to run: the loop yields to them instead of sleeping. */
    boolean hasWork() {
        return !work.isEmpty();
    }

    /** Names what ends the loop's sleep. Called on the owner, by the selector that is about to sleep. */
    void wakeBy(Runnable waker) {
        this.waker = waker;
    }

    private void launch(String name, Runnable body) {
        Runnable whole = () -> {
            try {
                body.run();
            } finally {
                ended = true;
                LockSupport.unpark(carrier);
            }
        };
        Thread.Builder.OfVirtual builder = virtualBuilder(this);
        virtual = builder != null;
        loop = virtual ? builder.name(name).unstarted(whole) : new Thread(null, whole, name, STACK_BYTES);
        if (virtual) {
            carrier.start();
        }
        loop.start();
    }

    private void carry() {
        while (!ended || hasWork()) {
            Runnable task = work.poll();
            if (task != null) {
                task.run();
            } else {
                parked = true;
                if (!hasWork() && !ended) {
                    LockSupport.park(this);
                }
                parked = false;
            }
        }
    }

    /** The JDK has no public way to give virtual threads an executor; null where this one is closed or changed. */
    private static Thread.Builder.OfVirtual virtualBuilder(Executor executor) {
        try {
            Class<?> type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
            Constructor<?> constructor = type.getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            return (Thread.Builder.OfVirtual) constructor.newInstance(executor);
        } catch (ReflectiveOperationException | RuntimeException absent) {
            return null;
        }
    }

    private static Field schedulerField() {
        try {
            Field field = Class.forName("java.lang.VirtualThread").getDeclaredField("scheduler");
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException | RuntimeException absent) {
            return null;
        }
    }
}
