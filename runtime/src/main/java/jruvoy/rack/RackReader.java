// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import jruvoy.bridge.RequestBody;
import jruvoy.bridge.Stream;
import jruvoy.owner.OwnerLoop;
import jruvoy.owner.OwnerWait;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The reading side of a request: waits for the bytes of its body.
 *
 * <p>Thread: the owner, except {@link #read} and {@link #refuse} (any Ruby thread).
 */
final class RackReader {
    private final OwnerLoop loop;
    private final OwnerWait arrival;
    private final Stream stream;
    private final RequestBody body;

    /** Reads the body of a stream that has one. */
    RackReader(OwnerLoop loop, Stream stream) {
        this.loop = loop;
        this.stream = stream;
        body = stream.body();
        arrival = new OwnerWait(loop);
    }

    /** What has arrived, at most {@code limit} bytes, as a binary String; waits for the first; nil at the end. */
    IRubyObject read(ThreadContext context, int limit) {
        IRubyObject[] read = {context.nil};
        arrival.until(context, () -> pull(context, limit, read));
        return read[0];
    }

    /** The rest is not wanted; whoever waits for it fails. */
    void refuse(ThreadContext context) {
        loop.call(context, () -> {
            body.refuse();
            arrival.wake();
        });
    }

    /** Bytes arrived. */
    void arrived(byte[] bytes, boolean last) {
        body.offer(bytes, last);
        arrival.wake();
    }

    /** Something else happened that a reader must look at. */
    void wake() {
        arrival.wake();
    }

    private boolean pull(ThreadContext context, int limit, IRubyObject[] read) {
        int count = body.next(limit);
        if (count > 0) {
            read[0] = RubyString.newStringShared(
                    context.runtime, body.bytes(), body.offset(), count, ASCIIEncoding.INSTANCE);
            body.consume(count);
            return true;
        }
        if (body.isEnded()) {
            return true;
        }
        checkOpen(context);
        body.repay();
        return false;
    }

    /** Nothing more comes of a body that was given up by one of the three sides. */
    private void checkOpen(ThreadContext context) {
        if (stream.isClosed()) {
            throw context.runtime.newEOFError(
                    "the request's body was cut: " + stream.end().label());
        }
        if (body.isRefused()) {
            throw context.runtime.newIOError("closed stream");
        }
        if (stream.isReleased()) {
            throw context.runtime.newIOError("the request is over");
        }
    }
}
