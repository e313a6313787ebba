// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.time.Duration;
import jruvoy.bridge.Inbox;
import jruvoy.bridge.Log;
import jruvoy.bridge.Natives;
import jruvoy.bridge.Outbox;
import jruvoy.rack.RackRequests;
import jruvoy.settings.Settings;
import org.jruby.Ruby;
import org.jruby.exceptions.RaiseException;

/**
 * One app's Ruby: its runtime, its loop, its requests. It feeds the loop from the inbox and sends what the loop's turns
 * have left in the outbox.
 *
 * <p>Thread: the owner, except {@link #start}, {@link #stop} and {@link #join} (any).
 */
public final class Owner implements LoopSource {
    private final Natives natives;
    private final long app;
    private final Settings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private OwnerThread thread;
    private RackRequests requests;
    private boolean ready;
    /** The inbox may be gone. Guarded by this. */
    private boolean ended;

    private Owner(Natives natives, long app, int index, Settings settings) {
        this.natives = natives;
        this.app = app;
        this.settings = settings;
        this.inbox = new Inbox(natives, app, index);
        this.outbox = new Outbox(natives);
    }

    /**
     * Starts an owner. It tells the module itself when the app is ready, has failed, has stopped.
     *
     * @param index which of the app's owners, from 0
     */
    public static Owner start(Natives natives, long app, int index, Settings settings) {
        Owner owner = new Owner(natives, app, index, settings);
        owner.thread = OwnerThread.start("owner", owner::run);
        return owner;
    }

    /** Asks the owner to cancel what runs and to end. */
    public synchronized void stop() {
        if (!ended) {
            inbox.stop();
        }
    }

    /** Waits for the end. @return false when the time passed first */
    public boolean join(Duration limit) throws InterruptedException {
        return thread.join(limit);
    }

    @Override
    public int drain() {
        if (requests == null) {
            return 0;
        }
        int done = inbox.poll(requests);
        outbox.flush();
        return done;
    }

    @Override
    public boolean prepareSleep() {
        return inbox.sleep();
    }

    @Override
    public void awake() {
        inbox.awake();
    }

    @Override
    public int wakeDescriptor() {
        return inbox.wakeDescriptor();
    }

    private void run() {
        Ruby runtime = null;
        try {
            runtime = OwnerRuntime.create(settings);
            OwnerRuntime.run(runtime, settings, this);
        } catch (RaiseException raised) {
            failed(OwnerRuntime.describe(raised));
        } catch (RuntimeException | Error failure) {
            failed(failure.toString());
        } finally {
            end(runtime);
        }
    }

    /** The app is loaded: requests may come. Called by Ruby through {@link OwnerRuntime}. */
    void serve(RackRequests all) {
        requests = all;
        ready = true;
        natives.jruvoy_native_app_ready(app);
    }

    /** The app cannot be loaded. */
    void failed(String message) {
        if (ready) {
            Log.error("the owner died: " + message);
        } else {
            natives.jruvoy_native_app_failed(app, message);
        }
    }

    Outbox outbox() {
        return outbox;
    }

    private void end(Ruby runtime) {
        try {
            if (requests != null) {
                requests.abandon();
                outbox.flush();
            }
            if (runtime != null) {
                runtime.tearDown(false);
            }
        } catch (RuntimeException | Error failure) {
            Log.error("the app did not end well: " + failure);
        } finally {
            outbox.flush();
            leaveInbox();
            natives.jruvoy_native_app_stopped(app);
        }
    }

    private synchronized void leaveInbox() {
        ended = true;
    }
}
