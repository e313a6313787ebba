// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.io.IOException;
import jruvoy.bridge.EndReason;
import jruvoy.bridge.HeaderBlock;
import jruvoy.bridge.Log;
import jruvoy.bridge.Response;
import jruvoy.bridge.Stream;
import jruvoy.owner.HeldLocks;
import jruvoy.owner.OwnerLoop;
import jruvoy.owner.PoolJob;
import org.jruby.RubyArray;
import org.jruby.RubyFixnum;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Create;
import org.jruby.api.Error;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * One request and its response, in Ruby Jruvoy::Request. It knows Rack's bytes and the order of things; which body is
 * driven how is decided in Ruby.
 *
 * <p>Thread: the owner, its loop and its fibers; what Ruby calls any Ruby thread: the owner does the work then.
 */
public final class RackRequest extends RackIncoming {
    private static final long serialVersionUID = 1L;
    private static final int COMPLETE_MAX = 64 << 10;

    final transient byte[] record;
    private final transient RackTrailers trailers;
    private final boolean upgrade;
    private transient RubyHash env;
    transient ThreadFiber fiber;
    /** What serves the request in {@code mode: threads}, until it has said its last word; else null. Owner only. */
    private transient PoolJob job;

    private transient RackWriter writer;

    RackRequest(RackRequests requests, Stream stream, byte[] record, boolean upgrade) {
        super(requests, stream, RequestLabel.isHead(record));
        this.record = record;
        this.upgrade = upgrade;
        this.trailers = new RackTrailers(requests);
    }

    /** Lets a thread serve the request, which is made ready here. */
    void serveOn(ThreadContext context, RackThreads threads) {
        job = threads.job(this);
        env(context);
        threads.start(job);
    }

    long handle() {
        return stream.handle();
    }

    /** The env Hash, the same one whenever it is asked for. The caller's fiber is the one that a cancel interrupts. */
    @JRubyMethod
    public IRubyObject env(ThreadContext context) {
        if (env == null) {
            fiber = job == null ? context.getFiber() : null;
            RackEnvExtras extras = requests.extras();
            env = requests.env().build(record);
            callbacks = Create.newArray(context);
            extras.put(env, callbacks);
            if (reader != null && !upgrade) {
                extras.putInput(env, input(context), trailers.awaitReceived(context));
            }
            if (upgrade) {
                extras.putProtocols(env, requests.env().protocols(context, env));
            }
            if (RackTrailers.areWanted(record)) {
                extras.putResponseTrailers(env, trailers.offer(context));
            }
        }
        return env;
    }

    /**
     * Takes what the app returned. A body that is an Array is sent at once, if nothing else is left to do.
     *
     * @return whether the whole answer was sent and the request is over; otherwise the caller goes on by {@link #begin}
     */
    @JRubyMethod
    public IRubyObject complete(ThreadContext context, IRubyObject returned) {
        try {
            parts.take(context, returned);
            OwnerLoop loop = requests.loop();
            if (loop.isCurrent(context)) {
                return context.runtime.newBoolean(isCompleted(context));
            }
            boolean[] completed = {false};
            loop.call(context, () -> completed[0] = isCompleted(loop.root()));
            return context.runtime.newBoolean(completed[0]);
        } catch (InvalidResponse invalid) {
            throw requests.classes().invalid(context, invalid.getMessage());
        }
    }

    private boolean isCompleted(ThreadContext context) {
        checkAnswerable(context);
        RackResponse response = requests.response();
        String offered = upgrade ? RequestLabel.header(record, "upgrade") : null;
        response.parse(context, parts.status, parts.headers, offered);
        parts.keep(response, head);
        if (!(parts.body instanceof RubyArray<?> body) || !isPlain(context, body)) {
            parts.head = response.head().copy();
            return false;
        }
        long size = RackParts.size(body);
        if (size > COMPLETE_MAX) {
            parts.head = response.head().copy();
            return false;
        }
        response.addContentLength(size);
        send(body, response.head(), (int) size);
        return true;
    }

    /** The owner may have answered itself, and who serves the request does not know it, or does not want to. */
    private void checkAnswerable(ThreadContext context) {
        if (stream.isAnswered()) {
            throw requests.classes().cancelled(context, "answered").toThrowable();
        }
    }

    /**
     * Lets the head go: at the end of the loop's turn, or together with a body that is whole by then.
     *
     * @param length bytes of body if they are known, else nil: then what the app announced counts
     */
    @JRubyMethod
    public IRubyObject begin(ThreadContext context, IRubyObject length) {
        requests.loop().call(context, () -> begin(length));
        return this;
    }

    private void begin(IRubyObject length) {
        checkAnswerable(requests.loop().root());
        Response response = stream.response();
        if (parts.bodiless) {
            parts.announce(parts.contentLength);
            response.beginBodiless(parts.head);
        } else {
            long bytes = length.isNil() ? parts.contentLength : ((RubyFixnum) length).getValue();
            if (!trailers.areGiven()) {
                parts.announce(bytes);
            }
            response.begin(parts.head, bytes, !parts.upgraded);
        }
    }

    /**
     * Sends body bytes; the calling fiber waits while there is no credit.
     *
     * @return how many bytes the string has
     */
    @JRubyMethod
    public IRubyObject write(ThreadContext context, IRubyObject chunk) {
        if (!(chunk instanceof RubyString text)) {
            throw Error.typeError(
                    context,
                    "a body yields Strings, not " + chunk.getMetaClass().getRealClass());
        }
        writer().write(context, text);
        return context.runtime.newFixnum(text.getByteList().realSize());
    }

    /** Sends what is held back at once. */
    @JRubyMethod
    public IRubyObject flush(ThreadContext context) {
        writer().flush(context);
        return this;
    }

    /** Ends the response. A body of another length than was announced is noted in the log. */
    @JRubyMethod
    public IRubyObject finish(ThreadContext context) {
        Response.Ending ending =
                writer().finish(context, () -> trailingBlock(requests.loop().root()));
        if (ending != Response.Ending.WHOLE) {
            Log.warn("the body is " + (ending == Response.Ending.SHORT ? "shorter" : "longer")
                    + " than its content-length, " + RequestLabel.of(record));
        }
        return context.nil;
    }

    /** Parks the calling fiber until somebody else has ended the response. */
    @JRubyMethod(name = "await_finish")
    public IRubyObject awaitFinish(ThreadContext context) {
        writer().awaitEnd(context);
        return context.nil;
    }

    /**
     * The app failed. As long as nothing has left, the client gets a bare 500; then the stream is cut, so that it can
     * tell.
     */
    @JRubyMethod
    public IRubyObject fail(ThreadContext context) {
        requests.loop().attempt(context, this::fail);
        return context.nil;
    }

    private void fail() {
        FailureReply.ERROR.replace(stream, record, head);
    }

    /**
     * Sends a file as the whole body.
     *
     * @return false when it cannot be opened; nothing has begun then
     */
    @JRubyMethod(name = "send_file")
    public IRubyObject sendFile(ThreadContext context, IRubyObject path) {
        FileBody file;
        try {
            file = new FileBody(path.asJavaString());
        } catch (IOException unreadable) {
            return context.fals;
        }
        try (file) {
            begin(context, context.runtime.newFixnum(file.size()));
            for (byte[] chunk = file.read(); chunk != null; chunk = file.read()) {
                write(context, RubyString.newStringNoCopy(context.runtime, chunk));
            }
        } catch (IOException broken) {
            throw context.runtime.newIOErrorFromException(broken);
        }
        finish(context);
        return context.tru;
    }

    /** Whether the stream is over for Envoy: nothing that is written goes anywhere. */
    @JRubyMethod(name = "closed?")
    public IRubyObject isClosed(ThreadContext context) {
        boolean[] closed = {true};
        requests.loop().attempt(context, () -> closed[0] = stream.isClosed());
        return context.runtime.newBoolean(closed[0]);
    }

    /** The last word: nothing more is done with the request. */
    @JRubyMethod
    public IRubyObject release(ThreadContext context) {
        requests.loop().attempt(context, this::abandon);
        return context.nil;
    }

    /** Method, path and request id, for a line of the log. */
    @JRubyMethod
    public IRubyObject label(ThreadContext context) {
        return context.runtime.newString(RequestLabel.of(record));
    }

    /** Gives up: the calling fiber is lost, with what it holds. The client gets a bare 500 if nothing has left. */
    @JRubyMethod
    public IRubyObject abandon(ThreadContext context) {
        HeldLocks.release(context);
        requests.loop().attempt(context, this::abandon);
        return context.nil;
    }

    void abandon() {
        fiber = null;
        job = null;
        fail();
        letGo();
    }

    /**
     * The owner has ended. A thread that serves the request is told, and goes on without it; so is who waits for its
     * bytes or its credit on a thread or another owner, without waiting for the worker's word that the stream is over.
     */
    void lost(ThreadContext context) {
        if (job != null) {
            job.cancel(context, requests.classes().cancelled(context, "the owner has ended"));
        }
        abandon();
        wakeWaiters();
    }

    /** Whether a fiber or a thread has it: that answers it, or gives it up. */
    boolean isBegun() {
        return env != null;
    }

    void arrived(byte[] bytes, boolean last) {
        if (reader != null) {
            reader.arrived(bytes, last);
        }
    }

    void arrivedTrailers(byte[] record) {
        trailers.arrived(record);
        arrived(new byte[0], true);
    }

    void credited(long bytes) {
        stream.credit().grant(bytes);
        if (writer != null) {
            writer.wake();
        }
    }

    /** Envoy ended the stream, or the owner must stop. On the loop's root fiber. */
    void closed(ThreadContext context, EndReason reason) {
        boolean answered = stream.isAnswered();
        if (reason == EndReason.DRAINED) {
            // Who has got nothing so far may try another server.
            FailureReply.UNAVAILABLE.replace(stream, record, head);
        } else {
            stream.close(reason);
        }
        ThreadFiber running = fiber;
        if (job != null) {
            closedJob(context, reason, answered);
        } else if (running == null) {
            letGo();
        } else if (!answered) {
            FiberExchange.raise(context, running, requests.classes().cancelled(context, reason.label()));
        } else {
            wakeWaiters();
        }
    }

    /** A thread lets the request go itself, when it has really stopped. */
    private void closedJob(ThreadContext context, EndReason reason, boolean answered) {
        if (answered) {
            wakeWaiters();
        } else if (job.cancel(context, requests.classes().cancelled(context, reason.label()))) {
            letGo();
        }
    }

    /** Others may still wait for its bytes or its credit: threads, and fibers that outlive their request. */
    private void letGo() {
        if (stream.release()) {
            requests.forget(this);
            wakeWaiters();
        }
    }

    private void send(RubyArray<?> body, HeaderBlock head, int size) {
        stream.beginComplete(head, size);
        for (int i = 0; i < body.getLength(); i++) {
            ByteList bytes = ((RubyString) body.eltOk(i)).getByteList();
            requests.outbox().body(bytes.unsafeBytes(), bytes.begin(), bytes.realSize());
        }
        requests.outbox().end();
        fiber = null;
        job = null;
        requests.forget(this);
        wakeWaiters();
    }

    /** Whether an Array is all there is to send, and nobody waits for the end. */
    private boolean isPlain(ThreadContext context, RubyArray<?> body) {
        return parts.isOrdinary()
                && callbacks.isEmpty()
                && !trailers.areGiven()
                && !stream.isClosed()
                && body.getMetaClass() == context.runtime.getArray()
                && RackParts.size(body) >= 0;
    }

    private HeaderBlock trailingBlock(ThreadContext context) {
        try {
            return parts.bodiless ? null : trailers.write(context);
        } catch (InvalidResponse invalid) {
            throw requests.classes().invalid(context, invalid.getMessage());
        }
    }

    private void wakeWaiters() {
        if (reader != null) {
            reader.wake();
        }
        if (writer != null) {
            writer.wake();
        }
    }

    private RackWriter writer() {
        if (writer == null) {
            writer = new RackWriter(requests.loop(), stream);
        }
        return writer;
    }
}
