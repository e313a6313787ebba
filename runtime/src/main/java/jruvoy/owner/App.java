// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import jruvoy.bridge.Log;
import jruvoy.bridge.Natives;
import jruvoy.rack.RackClasses;
import jruvoy.settings.Settings;
import org.jruby.Ruby;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * One app: a JRuby runtime, and the owners that run its Ruby side by side. Owner 0 makes the runtime and loads the
 * rackup, then the others join it; the app is ready when all of them are. It ends when all have ended, and owner 0
 * takes the runtime down, so that what the app registered for its exit runs once.
 *
 * <p>When an owner dies, the app goes on with those that are left, as long as there are any.
 *
 * <p>Thread: {@link #start}, {@link #stop} and {@link #join} any; the rest the owners, as said at each.
 */
public final class App {
    /** What owner 0 waits for the others, all of which have been told to stop when it was told. */
    private static final Duration OTHERS_LIMIT = Duration.ofSeconds(2);

    private final Natives natives;
    private final long handle;
    private final Settings settings;
    private final List<Owner> owners;
    private final AtomicInteger loading;
    private final AtomicBoolean failed = new AtomicBoolean();
    /** How often one of the owners was held for too long. */
    private final AtomicLong stalls = new AtomicLong();
    /** Set by owner 0 before the others start. */
    private Ruby runtime;
    /** Guarded by this. */
    private RackClasses classes;
    /** Java has taken leave of the module's app: its inboxes may be gone. Guarded by this. */
    private boolean ended;

    private App(Natives natives, long handle, Settings settings) {
        this.natives = natives;
        this.handle = handle;
        this.settings = settings;
        owners = IntStream.range(0, settings.owners())
                .mapToObj(index -> new Owner(natives, handle, index, this))
                .toList();
        loading = new AtomicInteger(owners.size());
    }

    /** Starts an app. It tells the module itself when it is ready, has failed, has stopped. */
    public static App start(Natives natives, long handle, Settings settings) {
        App app = new App(natives, handle, settings);
        app.owners.getFirst().start(app::run);
        return app;
    }

    /** Asks every owner to cancel what runs and to end. */
    public synchronized void stop() {
        if (!ended) {
            owners.forEach(Owner::stop);
        }
    }

    /** Waits for the end of all owners. @return false when the time passed first */
    public boolean join(Duration limit) throws InterruptedException {
        return owners.getFirst().join(limit);
    }

    Settings settings() {
        return settings;
    }

    /** The Ruby classes of the requests, made for the first owner that asks. Any owner. */
    synchronized RackClasses classes() {
        if (classes == null) {
            classes = new RackClasses(runtime);
        }
        return classes;
    }

    /** Lets the other owners serve what the rackup returned. Owner 0. */
    void share(IRubyObject rack) {
        for (Owner owner : owners.subList(1, owners.size())) {
            owner.start(() -> runOther(owner, rack));
        }
    }

    /** An owner serves from now on; with the last one the app is ready. Any owner. */
    void ready() {
        if (loading.decrementAndGet() == 0) {
            natives.jruvoy_native_app_ready(handle);
        }
    }

    /** The app cannot be loaded, or one of its owners cannot be started; only the first reason counts. Any owner. */
    void failed(String message) {
        if (!failed.getAndSet(true)) {
            natives.jruvoy_native_app_failed(handle, message);
            stop();
        }
    }

    /**
     * An owner is held for longer than it may be. Any thread.
     *
     * @param report what the log says of it, given how many stalls the app has had with this one
     */
    void stalled(LongFunction<String> report) {
        Log.warn(report.apply(stalls.incrementAndGet()));
    }

    /** Whether every owner has come to serve. Any owner. */
    boolean isReady() {
        return loading.get() == 0;
    }

    private void run() {
        Owner first = owners.getFirst();
        try {
            runtime = OwnerRuntime.create(settings);
            first.serve(() -> OwnerRuntime.boot(runtime, new OwnerPort(runtime, this, first)));
        } catch (RaiseException raised) {
            failed(OwnerRuntime.describe(raised));
        } catch (RuntimeException | Error failure) {
            failed(failure.toString());
        } finally {
            end();
        }
    }

    private void runOther(Owner owner, IRubyObject rack) {
        try {
            owner.serve(() -> OwnerRuntime.join(runtime, rack, new OwnerPort(runtime, this, owner)));
        } finally {
            runtime.getThreadService().unregisterCurrentThread(runtime.getCurrentContext());
        }
    }

    private void end() {
        try {
            awaitOthers();
            if (runtime != null) {
                runtime.tearDown(false);
            }
        } catch (RuntimeException | Error failure) {
            Log.error("the app did not end well: " + failure);
        } finally {
            owners.getFirst().flush();
            leave();
            natives.jruvoy_native_app_stopped(handle);
        }
    }

    private synchronized void leave() {
        ended = true;
    }

    private void awaitOthers() {
        try {
            for (Owner owner : owners.subList(1, owners.size())) {
                if (!owner.join(OTHERS_LIMIT)) {
                    Log.error("an owner did not stop and is left behind");
                }
            }
        } catch (InterruptedException interrupted) {
            Log.error("the owners were not waited for: " + interrupted);
        }
    }
}
