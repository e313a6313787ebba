// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.time.Duration;
import jruvoy.bridge.Inbox;
import jruvoy.bridge.Log;
import jruvoy.bridge.Natives;
import jruvoy.bridge.Outbox;
import jruvoy.rack.RackRequests;
import org.jruby.exceptions.RaiseException;

/**
 * One of the threads that run an app's Ruby: its loop and its requests. It feeds the loop from the inbox and sends what
 * the loop's turns have left in the outbox.
 *
 * <p>When its Ruby ends without having been asked to, the owner is lost: what it had is answered with 500, no worker
 * gives it new streams, and until the app stops it refuses those that were on their way to it.
 *
 * <p>Thread: the owner, except {@link #start}, {@link #stop} and {@link #join} (any).
 */
final class Owner implements LoopSource {
    private final Natives natives;
    private final long handle;
    private final int index;
    private final App app;
    private final Inbox inbox;
    private final Outbox outbox;
    /** Null until {@link #start}. Guarded by this. */
    private OwnerThread thread;

    private RackRequests requests;
    /** Null until it runs. */
    private OwnerLoop loop;
    /** Null until the loop runs, and when nobody shall watch it. */
    private OwnerPulse pulse;

    /**
     * An owner that does nothing yet.
     *
     * @param handle the app as the module knows it
     * @param index which of the app's owners, from 0
     */
    Owner(Natives natives, long handle, int index, App app) {
        this.natives = natives;
        this.handle = handle;
        this.index = index;
        this.app = app;
        this.inbox = new Inbox(natives, handle, index);
        this.outbox = new Outbox(natives);
    }

    /** Starts the thread. @param body what it does from start to end */
    synchronized void start(Runnable body) {
        thread = OwnerThread.start("owner-" + index, body);
    }

    /** Asks the owner to cancel what runs and to end. Only while the module's app is there. */
    void stop() {
        inbox.stop();
    }

    /** Waits for the end. @return false when the time passed first */
    boolean join(Duration limit) throws InterruptedException {
        OwnerThread started;
        synchronized (this) {
            started = thread;
        }
        return started == null || started.join(limit);
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

    /** Runs Ruby that serves until the app must stop, and sees to the requests that it leaves behind. */
    void serve(Runnable ruby) {
        try {
            ruby.run();
            lost("its loop has ended");
        } catch (RaiseException raised) {
            lost(OwnerRuntime.describe(raised));
        } catch (RuntimeException | Error failure) {
            lost(failure.toString());
        } finally {
            flush();
        }
    }

    /** The loop runs: requests may come. Called by Ruby through {@link OwnerPort}. */
    void ready(RackRequests all, OwnerLoop loop) {
        requests = all;
        this.loop = loop;
        Duration limit = app.settings().stallLimit();
        if (limit.isPositive()) {
            StallReport report = new StallReport(loop.root().runtime, loop.thread(), all);
            pulse = new OwnerPulse(loop.pulse(), limit, held -> app.stalled(number -> report.of(index, held, number)));
            StallWatch.add(pulse);
        }
        app.ready();
    }

    /** Sends what is left. */
    void flush() {
        outbox.flush();
    }

    Outbox outbox() {
        return outbox;
    }

    /** Ruby has ended: was it asked to? */
    private void lost(String reason) {
        if (pulse != null) {
            StallWatch.remove(pulse);
        }
        boolean served = requests != null;
        if (served) {
            loop.end();
            requests.abandon();
            outbox.flush();
        }
        if (served && requests.isStopped()) {
            return;
        }
        if (app.isReady()) {
            Log.error("owner " + index + " died: " + reason);
            natives.jruvoy_native_owner_lost(handle, index);
            refuse();
        } else {
            app.failed(reason);
        }
    }

    /** Answers what still comes until the app stops. */
    private void refuse() {
        Descriptors descriptors = new Descriptors(new ReadyList());
        descriptors.register(inbox.wakeDescriptor());
        while (!requests.isStopped()) {
            if (drain() == 0 && inbox.sleep()) {
                descriptors.await(-1);
                inbox.awake();
            }
        }
        descriptors.close();
    }
}
