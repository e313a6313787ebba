// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import jruvoy.bridge.HeaderBlock;
import jruvoy.bridge.Layout;
import jruvoy.bridge.RequestRecord;
import org.jruby.RubyHash;
import org.jruby.api.Create;
import org.jruby.runtime.ThreadContext;

/**
 * The trailers of one request, both ways: Hashes in the env, one that the server fills and one that the app may fill.
 *
 * <p>Thread: the owner.
 */
final class RackTrailers {
    private final RackRequests requests;
    private RubyHash received;
    private RubyHash given;

    RackTrailers(RackRequests requests) {
        this.requests = requests;
    }

    /** The Hash that is filled when the request's trailers arrive. */
    RubyHash awaitReceived(ThreadContext context) {
        received = Create.newHash(context);
        return received;
    }

    /** The Hash that the app may fill before its body ends. */
    RubyHash offer(ThreadContext context) {
        given = Create.newSmallHash(context);
        return given;
    }

    /** The request's trailers have arrived. */
    void arrived(byte[] record) {
        if (received != null) {
            requests.env().putTrailers(received, record);
        }
    }

    /** Whether the app has given trailers so far. */
    boolean areGiven() {
        return given != null && !given.isEmpty();
    }

    /**
     * What the app has given, checked.
     *
     * @return null when there is nothing
     */
    HeaderBlock write(ThreadContext context) {
        if (!areGiven()) {
            return null;
        }
        HeaderBlock block = new HeaderBlock();
        requests.response().writeTrailers(context, given, block);
        return block;
    }

    /** Whether the client takes trailers: one of h2 or h3 always, one of h1 when it says so. */
    static boolean areWanted(byte[] record) {
        int at = RequestRecord.offset(record, Layout.FIELD_PROTOCOL) + "HTTP/".length();
        boolean modern = RequestRecord.length(record, Layout.FIELD_PROTOCOL) > "HTTP/".length() && record[at] >= '2';
        return modern || RequestLabel.header(record, "te").contains("trailers");
    }
}
