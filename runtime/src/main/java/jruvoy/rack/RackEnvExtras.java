// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyString;
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
    private final RubyString multithread;
    private final IRubyObject isMultithread;
    private IRubyObject errorStream;

    RackEnvExtras(EnvKeys keys, IRubyObject isMultithread) {
        this.isMultithread = isMultithread;
        multithread = keys.intern("rack.multithread");
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
        env.fastASet(multithread, isMultithread);
    }

    /** What a request with a body has. */
    void putInput(RubyHash env, IRubyObject body, RubyHash trailers) {
        env.fastASet(input, body);
        env.fastASet(requestTrailers, trailers);
    }

    /** What a request has whose client takes trailers. */
    void putResponseTrailers(RubyHash env, RubyHash trailers) {
        env.fastASet(responseTrailers, trailers);
    }

    /** What an upgrade request has. */
    void putProtocols(RubyHash env, RubyArray<?> offered) {
        env.fastASet(protocol, offered);
    }
}
