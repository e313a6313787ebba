// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import jruvoy.bridge.Stream;
import org.jruby.RubyNumeric;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The body of a request as Ruby reads it: the part of Jruvoy::Request that takes in.
 *
 * <p>Thread: any Ruby thread; the owner does the work.
 */
public abstract class RackIncoming extends RackAnswer {
    private static final long serialVersionUID = 1L;
    private static final int READ_MAX = 64 << 10;

    final transient RackRequests requests;
    final transient Stream stream;
    /** Null when the request has no body. */
    final transient RackReader reader;

    private transient IRubyObject input;

    RackIncoming(RackRequests requests, Stream stream, boolean head) {
        super(requests.getRuntime(), requests.classes().request(), head);
        this.requests = requests;
        this.stream = stream;
        this.reader = stream.body() == null ? null : new RackReader(requests.loop(), stream);
    }

    /**
     * Reads bytes of the request's body that have arrived; waits for the first of them only.
     *
     * @param limit at most so many, nil for any number
     * @return a binary String, or nil at the end
     */
    @JRubyMethod(name = "read_some")
    public IRubyObject readSome(ThreadContext context, IRubyObject limit) {
        if (reader == null) {
            return context.nil;
        }
        long most = limit.isNil() ? READ_MAX : RubyNumeric.num2long(limit);
        return reader.read(context, (int) Math.min(READ_MAX, most));
    }

    /** The request's body as a Jruvoy::Input: the one in the env, if there is one. */
    @JRubyMethod
    public IRubyObject input(ThreadContext context) {
        if (input == null) {
            input = requests.classes().make(context, "Input", this);
        }
        return input;
    }

    /** The rest of the request's body is not wanted. */
    @JRubyMethod(name = "refuse_body")
    public IRubyObject refuseBody(ThreadContext context) {
        if (reader != null) {
            reader.refuse(context);
        }
        return context.nil;
    }
}
