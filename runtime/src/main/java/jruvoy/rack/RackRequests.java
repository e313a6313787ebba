// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.util.ArrayDeque;
import jruvoy.bridge.EndReason;
import jruvoy.bridge.Inbox;
import jruvoy.bridge.Layout;
import jruvoy.bridge.Log;
import jruvoy.bridge.Outbox;
import jruvoy.bridge.Stream;
import jruvoy.owner.HeldLocks;
import jruvoy.owner.OwnerLoop;
import jruvoy.owner.OwnerWait;
import jruvoy.owner.ThreadPool;
import org.jruby.Ruby;
import org.jruby.RubyObject;
import org.jruby.RubyThread;
import org.jruby.anno.JRubyMethod;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.CallSite;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.callsite.FunctionalCachingCallSite;

/**
 * The requests of one owner: hands new ones to fibers that wait for one and tells the others what happened to them. In
 * Ruby Jruvoy::Requests.
 *
 * <p>Thread: the owner.
 */
public final class RackRequests extends RubyObject implements Inbox.Receiver {
    private static final long serialVersionUID = 1L;
    private static final int IDLE_MAX = 256;
    /** What Thread#name says in a handler, and a thread dump of its fiber. */
    private static final String FIBER_NAME = "request";

    private final transient StreamTable<RackRequest> streams = new StreamTable<>();
    private final transient ArrayDeque<ThreadFiber> idle = new ArrayDeque<>();
    private final transient CallSite start = new FunctionalCachingCallSite("start");
    private final transient OwnerLoop loop;
    private final transient Outbox outbox;
    private final transient OwnerWait stop;
    private final transient RackClasses classes;
    private final transient RackEnv env;
    private final transient RackEnvExtras extras;
    private final transient RackResponse response = new RackResponse();
    private final int window;
    private transient IRubyObject pool;
    /** Null in mode fibers. */
    private transient RackThreads threads;

    private boolean stopping;
    private boolean stopped;

    /**
     * Requests whose fibers live on a loop.
     *
     * @param window bytes per stream and direction that may be on the way
     * @param multithread whether other threads may run the app at the same time
     */
    public RackRequests(
            Ruby runtime, RackClasses classes, OwnerLoop loop, Outbox outbox, int window, boolean multithread) {
        super(runtime, classes.requests());
        this.loop = loop;
        this.outbox = outbox;
        this.window = window;
        this.classes = classes;
        stop = new OwnerWait(loop);
        EnvKeys keys = new EnvKeys(runtime);
        env = new RackEnv(runtime, keys);
        extras = new RackEnvExtras(keys, runtime.newBoolean(multithread));
    }

    /** Names who starts a fiber when none is idle: an object that answers start(request). */
    @JRubyMethod(name = "pool=")
    public IRubyObject setPool(ThreadContext context, IRubyObject pool) {
        this.pool = pool;
        return pool;
    }

    /** From now on threads of a pool serve the requests. @param adapter answers call(request) */
    @JRubyMethod(name = "serve_on")
    public IRubyObject serveOn(ThreadContext context, IRubyObject pool, IRubyObject adapter) {
        threads = new RackThreads((ThreadPool) pool, adapter);
        return context.nil;
    }

    /** Names the one rack.errors of all requests. */
    @JRubyMethod(name = "errors=")
    public IRubyObject setErrors(ThreadContext context, IRubyObject errors) {
        extras.errorStream(errors);
        return errors;
    }

    /**
     * Parks the calling fiber until there is a request for it.
     *
     * @return the request, or nil when the fiber shall end
     */
    @JRubyMethod
    public IRubyObject take(ThreadContext context) {
        if (stopping || idle.size() >= IDLE_MAX) {
            return context.nil;
        }
        ThreadFiber fiber = context.getFiber();
        idle.addLast(fiber);
        boolean given = false;
        try {
            IRubyObject value;
            do {
                value = loop.park(context);
                given = value instanceof RackRequest;
            } while (!given && !stopping);
            return given ? value : context.nil;
        } finally {
            // Who gives a request has taken the fiber from the list: to look for it there would cost a walk through
            // all.
            if (!given) {
                idle.removeLastOccurrence(fiber);
            }
        }
    }

    /**
     * Takes away what a request has left behind with the calling fiber: nothing must reach the next one, and nobody must
     * wait for a lock of a fiber that ends.
     */
    @JRubyMethod(name = "clear_fiber")
    public IRubyObject clearFiber(ThreadContext context) {
        HeldLocks.release(context);
        RubyThread thread = context.getThread();
        thread.clearFiberLocals();
        thread.setReportOnException(context.runtime.isReportOnException());
        thread.setAbortOnException(false);
        if (!Thread.currentThread().getName().equals(FIBER_NAME)) {
            Thread.currentThread().setName(FIBER_NAME);
        }
        FiberExchange.clearStorage(context.getFiber());
        Thread.interrupted();
        return context.nil;
    }

    /** Parks the calling fiber until the app must stop. */
    @JRubyMethod(name = "await_stop")
    public IRubyObject awaitStop(ThreadContext context) {
        stop.until(context, () -> stopping);
        return context.nil;
    }

    /** Parks the calling fiber until no request is running any more. */
    @JRubyMethod(name = "await_idle")
    public IRubyObject awaitIdle(ThreadContext context) {
        stop.until(context, () -> streams.size() == 0);
        return context.nil;
    }

    /** How many requests are in the hands of fibers. */
    @JRubyMethod
    public IRubyObject size(ThreadContext context) {
        return context.runtime.newFixnum(streams.size());
    }

    @Override
    public void request(long handle, int flags, byte[] record) {
        boolean hasBody = (flags & Layout.EVENT_END_STREAM) == 0;
        Stream stream = new Stream(handle, outbox, window, hasBody);
        RackRequest request = new RackRequest(this, stream, record, (flags & Layout.EVENT_UPGRADE) != 0);
        streams.put(handle, request);
        if (stopping) {
            closed(handle, EndReason.DRAINED);
            return;
        }
        ThreadFiber fiber = idle.pollLast();
        try {
            if (threads != null) {
                request.serveOn(loop.root(), threads);
            } else if (fiber == null) {
                start.call(loop.root(), pool, pool, request);
            } else {
                loop.transfer(fiber, request);
            }
        } catch (RuntimeException | Error failure) {
            Log.error("a fiber ended by " + failure);
            // What ended may be a task that the handler had started: the handler itself goes on. No thread has begun.
            if (threads != null || !request.isBegun()) {
                request.abandon();
            }
        }
    }

    @Override
    public void body(long handle, byte[] bytes, boolean last) {
        RackRequest request = streams.get(handle);
        if (request != null) {
            request.arrived(bytes, last);
        }
    }

    @Override
    public void trailers(long handle, byte[] record) {
        RackRequest request = streams.get(handle);
        if (request != null) {
            request.arrivedTrailers(record);
        }
    }

    @Override
    public void credit(long handle, long bytes) {
        RackRequest request = streams.get(handle);
        if (request != null) {
            request.credited(bytes);
        }
    }

    @Override
    public void closed(long handle, EndReason reason) {
        RackRequest request = streams.get(handle);
        if (request == null) {
            return;
        }
        try {
            request.closed(loop.root(), reason);
        } catch (RuntimeException | Error failure) {
            Log.error("a request could not be cancelled: " + failure);
        }
    }

    /** Cancels every request that is running and lets the idle fibers end. Only the first call counts. */
    @Override
    public void stop() {
        stopped = true;
        if (stopping) {
            return;
        }
        stopping = true;
        for (RackRequest request : streams.all()) {
            closed(request.handle(), EndReason.DRAINED);
        }
        for (ThreadFiber fiber : idle) {
            loop.push(fiber);
        }
        stop.wake();
    }

    /** The owner ends: whoever still waits for an answer gets none of its own. */
    public void abandon() {
        stopping = true;
        for (RackRequest request : streams.all()) {
            request.lost(loop.root());
        }
    }

    /** What the log says of the request that a fiber serves; null for none. Any thread, while the owner is held. */
    public String label(ThreadFiber fiber) {
        for (RackRequest request : streams.all()) {
            if (request.fiber == fiber) {
                return RequestLabel.of(request.record);
            }
        }
        return null;
    }

    /** Whether the app has been told to stop. */
    public boolean isStopped() {
        return stopped;
    }

    void forget(RackRequest request) {
        streams.remove(request.handle());
        if (stopping && streams.size() == 0) {
            stop.wake();
        }
    }

    OwnerLoop loop() {
        return loop;
    }

    RackClasses classes() {
        return classes;
    }

    RackEnv env() {
        return env;
    }

    RackEnvExtras extras() {
        return extras;
    }

    RackResponse response() {
        return response;
    }

    Outbox outbox() {
        return outbox;
    }
}
