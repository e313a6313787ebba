// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * What Ruby may ask about the answer to a request: the part of Jruvoy::Request that only looks.
 *
 * <p>Thread: what serves the request, the owner or a thread of the pool; the owner writes while that one waits for it.
 */
public abstract class RackAnswer extends RubyObject {
    private static final long serialVersionUID = 1L;

    final transient RackParts parts = new RackParts();
    final boolean head;
    transient RubyArray<?> callbacks;

    RackAnswer(Ruby runtime, RubyClass type, boolean head) {
        super(runtime, type);
        this.head = head;
    }

    /** The body that the app returned, or nil. */
    @JRubyMethod
    public IRubyObject body(ThreadContext context) {
        return parts.body == null ? context.nil : parts.body;
    }

    /** The status that the app returned, or nil. */
    @JRubyMethod
    public IRubyObject status(ThreadContext context) {
        return parts.status == null ? context.nil : parts.status;
    }

    /** The headers that the app returned, or nil. */
    @JRubyMethod
    public IRubyObject headers(ThreadContext context) {
        return parts.headers == null ? context.nil : parts.headers;
    }

    /** The callable of a partial hijack, or nil. */
    @JRubyMethod
    public IRubyObject hijack(ThreadContext context) {
        return parts.hijack == null ? context.nil : parts.hijack;
    }

    /** The callables of rack.response_finished. */
    @JRubyMethod
    public IRubyObject callbacks(ThreadContext context) {
        return callbacks == null ? context.nil : callbacks;
    }

    /** Whether the response has no body, whatever the app returned as one. */
    @JRubyMethod(name = "bodiless?")
    public IRubyObject isBodiless(ThreadContext context) {
        return context.runtime.newBoolean(parts.bodiless);
    }

    /** What the app announced as the length of the body, or nil. */
    @JRubyMethod(name = "content_length")
    public IRubyObject contentLength(ThreadContext context) {
        return parts.contentLength < 0 ? context.nil : context.runtime.newFixnum(parts.contentLength);
    }

    /** Whether the client asked for the head only. */
    @JRubyMethod(name = "head?")
    public IRubyObject isHead(ThreadContext context) {
        return context.runtime.newBoolean(head);
    }
}
