// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.api.Create;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The part of an env that the record does not tell: what the server offers.
 *
 * <p>Thread: the owner.
 */
final class RackEnvExtras {
    private final RubyString errors;
    private final RubyString input;
    private final RubyString hijack;
    private final RubyString finished;
    private final RubyString protocol;
    private final RubyString requestTrailers;
    private final RubyString responseTrailers;
    private IRubyObject errorStream;

    RackEnvExtras(EnvKeys keys) {
        errors = keys.intern("rack.errors");
        input = keys.intern("rack.input");
        hijack = keys.intern("rack.hijack?");
        finished = keys.intern("rack.response_finished");
        protocol = keys.intern("rack.protocol");
        requestTrailers = keys.intern("jruvoy.request_trailers");
        responseTrailers = keys.intern("jruvoy.response_trailers");
    }

    /** Names the one rack.errors of all requests. */
    void errorStream(IRubyObject stream) {
        errorStream = stream;
    }

    /** What every request has. */
    void put(RubyHash env, RubyArray<?> callbacks) {
        env.fastASet(errors, errorStream);
        env.fastASet(hijack, env.getRuntime().getTrue());
        env.fastASet(finished, callbacks);
    }

    /** What a request with a body has. @return the Hash of its trailers */
    RubyHash putInput(ThreadContext context, RubyHash env, IRubyObject body) {
        env.fastASet(input, body);
        RubyHash trailers = Create.newHash(context);
        env.fastASet(requestTrailers, trailers);
        return trailers;
    }

    /** What a request has whose client takes trailers. @return the Hash that the app may fill */
    RubyHash putResponseTrailers(ThreadContext context, RubyHash env) {
        RubyHash trailers = Create.newSmallHash(context);
        env.fastASet(responseTrailers, trailers);
        return trailers;
    }

    /** What an upgrade request has. */
    void putProtocols(RubyHash env, RubyArray<?> offered) {
        env.fastASet(protocol, offered);
    }
}
