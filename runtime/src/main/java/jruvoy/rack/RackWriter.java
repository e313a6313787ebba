// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.util.function.Supplier;
import jruvoy.bridge.HeaderBlock;
import jruvoy.bridge.Response;
import jruvoy.bridge.Stream;
import jruvoy.owner.OwnerLoop;
import jruvoy.owner.OwnerWait;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.util.ByteList;

/**
 * The writing side of a request: hands body bytes to the response and waits for credit.
 *
 * <p>Thread: the owner, except {@link #write}, {@link #flush}, {@link #finish} and {@link #awaitEnd} (any Ruby thread).
 */
final class RackWriter {
    /** Bytes that are still to be handed over. */
    private static final class Rest {
        private final byte[] bytes;
        private int at;
        private int length;

        Rest(ByteList text) {
            bytes = text.unsafeBytes();
            at = text.begin();
            length = text.realSize();
        }
    }

    private final OwnerLoop loop;
    private final OwnerWait change;
    private final Stream stream;

    /** Writes the response of a stream. */
    RackWriter(OwnerLoop loop, Stream stream) {
        this.loop = loop;
        this.stream = stream;
        change = new OwnerWait(loop);
    }

    /**
     * Sends all bytes of a string.
     *
     * @throws org.jruby.exceptions.RaiseException Errno::EPIPE when the stream is over
     */
    void write(ThreadContext context, RubyString text) {
        Rest rest = new Rest(text.getByteList());
        change.until(context, () -> push(context, text, rest));
    }

    /** Sends what is held back at once. */
    void flush(ThreadContext context) {
        loop.call(context, () -> {
            checkOpen(context);
            stream.response().flush();
        });
    }

    /** Ends the response. @param trailers makes the trailers, or null for none; called by the owner */
    Response.Ending finish(ThreadContext context, Supplier<HeaderBlock> trailers) {
        Response.Ending[] ending = {Response.Ending.WHOLE};
        loop.call(context, () -> {
            checkOpen(context);
            ending[0] = stream.response().finish(trailers.get(), false);
            change.wake();
        });
        return ending[0];
    }

    /** Waits until somebody else has ended the response. */
    void awaitEnd(ThreadContext context) {
        change.until(context, () -> stream.isClosed() || stream.response().isEnded());
    }

    /** Something happened that a writer must look at. */
    void wake() {
        change.wake();
    }

    private boolean push(ThreadContext context, RubyString text, Rest rest) {
        checkOpen(context);
        Response response = stream.response();
        int taken = response.write(rest.bytes, rest.at, rest.length);
        rest.at += taken;
        rest.length -= taken;
        if (rest.length == 0) {
            return true;
        }
        // The app may change the string while this one waits; from here on it changes a copy.
        text.setByteListShared();
        response.leave();
        return false;
    }

    private void checkOpen(ThreadContext context) {
        if (stream.isClosed() || stream.isReleased()) {
            throw context.runtime.newErrnoEPIPEError();
        }
    }
}
