// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import jruvoy.bridge.Log;
import jruvoy.owner.PoolJob;
import jruvoy.owner.ThreadPool;
import org.jruby.exceptions.ThreadKill;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The threads that serve the requests of an owner in {@code mode: threads}. A request waits for one in the order in
 * which it came, and counts as in flight.
 *
 * <p>Thread: the owner, except {@link #serve} (the pool's).
 */
final class RackThreads {
    private final ThreadPool pool;
    private final IRubyObject adapter;

    /** Threads of a pool that answer by an adapter. @param adapter answers call(request) */
    RackThreads(ThreadPool pool, IRubyObject adapter) {
        this.pool = pool;
        this.adapter = adapter;
    }

    /** Lets a thread do the job as soon as there is one. */
    void start(PoolJob job) {
        pool.submit(job);
    }

    /** The job that serves a request. */
    PoolJob job(RackRequest request) {
        return new PoolJob(context -> serve(context, request), context -> {});
    }

    private void serve(ThreadContext context, RackRequest request) {
        try {
            adapter.callMethod(context, "call", request);
        } catch (ThreadKill kill) {
            request.abandon(context);
            throw kill;
        } catch (Throwable failure) { // Ruby throws what Java calls checked, too.
            // A cancel that came while the adapter cleaned up is no news.
            if (!PoolJob.isCancel(context, failure)) {
                Log.error("a request was given up: " + failure);
            }
            request.abandon(context);
        }
    }
}
