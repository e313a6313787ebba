// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import jruvoy.bridge.HeaderBlock;
import org.jruby.RubyArray;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.TypeConverter;

/**
 * What an app returned, taken apart, and what of it must be known until the response has ended.
 *
 * <p>Thread: the owner.
 */
final class RackParts {
    private static final byte[] CONTENT_LENGTH = {'c', 'o', 'n', 't', 'e', 'n', 't', '-', 'l', 'e', 'n', 'g', 't', 'h'};

    IRubyObject status;
    IRubyObject headers;
    IRubyObject body;
    IRubyObject hijack;
    HeaderBlock head;
    boolean bodiless;
    boolean upgraded;
    long contentLength = -1;

    /** Takes apart what the app returned. What there is of a body is known even when the rest is wrong. */
    void take(ThreadContext context, IRubyObject returned) {
        IRubyObject array = returned instanceof RubyArray ? returned : TypeConverter.checkArrayType(context, returned);
        if (!(array instanceof RubyArray<?> all) || all.getLength() < 3) {
            throw new InvalidResponse("it is no Array of status, headers and body");
        }
        status = all.eltOk(0);
        headers = all.eltOk(1);
        body = all.eltOk(2);
    }

    /** Remembers what the response was found to be. */
    void keep(RackResponse response, boolean headRequest) {
        hijack = response.hijack();
        upgraded = response.isUpgrade();
        contentLength = response.contentLength();
        bodiless = headRequest || response.isBodiless();
    }

    /** Whether the response is a status, headers and a body, and nothing else. */
    boolean isOrdinary() {
        return !bodiless && !upgraded && hijack == null;
    }

    /** Writes the content-length into the head; a negative one is none. */
    void announce(long length) {
        if (length >= 0) {
            head.add(CONTENT_LENGTH, Decimal.of(length));
        }
    }

    /** The bytes of an Array of Strings; -1 when something else is in it. */
    static long size(RubyArray<?> body) {
        long size = 0;
        for (int i = 0; i < body.getLength(); i++) {
            if (!(body.eltOk(i) instanceof RubyString text)) {
                return -1;
            }
            size += text.getByteList().realSize();
        }
        return size;
    }
}
