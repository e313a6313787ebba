// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyException;
import org.jruby.RubyModule;
import org.jruby.api.Access;
import org.jruby.api.Define;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The Ruby classes of this package in one runtime: Jruvoy::Requests and Jruvoy::Request, made here, and those of the
 * gem that Java makes objects of.
 *
 * <p>Thread: the owner.
 */
public final class RackClasses {
    private final RubyModule jruvoy;
    private final RubyClass requests;
    private final RubyClass request;

    /** Defines the classes. The gem need not be loaded yet. */
    public RackClasses(Ruby runtime) {
        ThreadContext context = runtime.getCurrentContext();
        RubyClass object = Access.objectClass(context);
        jruvoy = Define.defineModule(context, "Jruvoy");
        requests = jruvoy.defineClassUnder(context, "Requests", object, ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        requests.defineMethods(context, RackRequests.class);
        request = jruvoy.defineClassUnder(context, "Request", object, ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        request.defineMethods(context, RackAnswer.class, RackIncoming.class, RackRequest.class);
    }

    RubyClass requests() {
        return requests;
    }

    RubyClass request() {
        return request;
    }

    /** The error that tells what is wrong with a response. */
    RaiseException invalid(ThreadContext context, String message) {
        IRubyObject error = make(context, "InvalidResponse", context.runtime.newString(message));
        return ((RubyException) error).toThrowable();
    }

    /** The exception that interrupts the fiber of a request that is over. */
    RubyException cancelled(ThreadContext context, String reason) {
        return (RubyException) make(context, "Cancelled", context.runtime.newString(reason));
    }

    /** A new object of one of the gem's classes. */
    IRubyObject make(ThreadContext context, String name, IRubyObject... arguments) {
        return jruvoy.getConstant(context, name).callMethod(context, "new", arguments);
    }
}
