// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import jruvoy.bridge.HeaderBlock;
import org.jruby.RubyArray;
import org.jruby.RubyFixnum;
import org.jruby.RubyHash;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Checks what an app returned as status and headers and writes the head of the response, in one pass over the bytes. A
 * byte that HTTP forbids never gets past this class: it throws {@link InvalidResponse}, and the answer is a 500.
 *
 * <p>One object serves all responses of an owner, one after the other.
 *
 * <p>Thread: the owner.
 */
final class RackResponse implements RubyHash.VisitorWithStateI {
    private static final byte[] STATUS = ascii(":status");
    private static final byte[] CONTENT_LENGTH = ascii("content-length");
    private static final byte[] UPGRADE = ascii("upgrade");
    private static final byte[] CONNECTION = ascii("connection");
    private static final int SWITCHING = 101;

    private final HeaderBlock head = new HeaderBlock();
    private final HeaderNames names = new HeaderNames();
    private final Set<String> nominated = new HashSet<>();
    private int status;
    private long contentLength;
    private IRubyObject hijack;
    private ByteList protocol;
    private ByteList upgrade;

    /**
     * Takes a response apart. The results can be asked for until the next response.
     *
     * @param given the status and the headers that the app returned
     * @param offered the protocols that an upgrade request names, separated by commas, one of which a 2xx may then
     *     accept; null for a request that is none
     */
    void parse(ThreadContext context, IRubyObject given, IRubyObject headers, String offered) {
        boolean upgradable = offered != null;
        status = status(given, upgradable);
        if (!(headers instanceof RubyHash hash)) {
            throw new InvalidResponse("headers are " + kind(headers) + ", not a Hash");
        }
        nominated.clear();
        write(context, hash);
        boolean accepts = upgradable && status < 300 && (protocol != null || hijack != null);
        if (status == SWITCHING && !accepts) {
            throw new InvalidResponse("status is 101 without rack.protocol or rack.hijack");
        }
        boolean again = !nominated.isEmpty() || accepts && status != SWITCHING;
        if (accepts) {
            // Envoy wants a 101 on h2 too, where it makes of it what h2 wants.
            status = SWITCHING;
        }
        if (again) {
            write(context, hash);
        }
        if (accepts) {
            writeUpgrade(offered);
        }
    }

    /** The head; ours again with the next response. */
    HeaderBlock head() {
        return head;
    }

    int status() {
        return status;
    }

    /** What the app announced as the length of the body, or -1. */
    long contentLength() {
        return contentLength;
    }

    /** The callable of a partial hijack, or null. */
    IRubyObject hijack() {
        return hijack;
    }

    /** Whether the response turns the stream over to another protocol. */
    boolean isUpgrade() {
        return status == SWITCHING;
    }

    /** Whether the status is one of those whose responses have no content. */
    boolean isBodiless() {
        return status == 204 || status == 304;
    }

    /** Announces the length of a body that is known; one that the app announced must have been dropped. */
    void addContentLength(long length) {
        head.add(CONTENT_LENGTH, Decimal.of(length));
    }

    /** Writes trailers: checked like headers, without those that only a head may have. */
    void writeTrailers(ThreadContext context, RubyHash trailers, HeaderBlock block) {
        block.clear();
        trailers.visitAll(context, (ignored, hash, name, value, index) -> {
            HeaderNames.Name known = names.of(bytes(name));
            if (known.kind == HeaderNames.Kind.PLAIN && !value.isNil()) {
                HeaderValues.write(block, known.bytes, bytes(value));
            }
        });
    }

    @Override
    public void visit(ThreadContext context, RubyHash hash, IRubyObject key, IRubyObject value, int index) {
        HeaderNames.Name name = names.of(bytes(key));
        switch (name.kind) {
            case PLAIN -> writePlain(name, value);
            case CONTENT_LENGTH -> takeContentLength(value);
            case CONTENT_TYPE -> {
                if (!isBodiless() && !isUpgrade()) {
                    writePlain(name, value);
                }
            }
            case RACK -> takeRack(name.text, value);
            case HOP -> takeHop(name.text, value);
        }
    }

    private static int status(IRubyObject given, boolean upgradable) {
        long number = -1;
        if (given instanceof RubyFixnum fixnum) {
            number = fixnum.getValue();
        } else if (given instanceof RubyString text && text.getByteList().realSize() == 3) {
            number = Decimal.parse(text.getByteList());
        }
        if (number < 200 && !(number == SWITCHING && upgradable) || number > 999) {
            throw new InvalidResponse("status is " + (number >= 0 ? number : kind(given)));
        }
        return (int) number;
    }

    private void write(ThreadContext context, RubyHash headers) {
        contentLength = -1;
        hijack = null;
        protocol = null;
        upgrade = null;
        head.clear();
        head.add(STATUS, Decimal.of(status));
        headers.visitAll(context, this);
    }

    private void writePlain(HeaderNames.Name name, IRubyObject value) {
        if (!nominated.isEmpty() && nominated.contains(name.text)) {
            return;
        }
        if (value instanceof RubyString text) {
            HeaderValues.write(head, name.bytes, text.getByteList());
        } else if (value instanceof RubyArray<?> values) {
            for (int i = 0; i < values.getLength(); i++) {
                HeaderValues.write(head, name.bytes, bytes(values.eltOk(i)));
            }
        } else if (!value.isNil()) {
            HeaderValues.write(head, name.bytes, bytes(value));
        }
    }

    /** Only the number is kept: whoever knows the body decides what is announced. */
    private void takeContentLength(IRubyObject value) {
        if (isBodiless() || isUpgrade() || value.isNil()) {
            return;
        }
        contentLength = Decimal.parse(bytes(value));
        if (contentLength < 0) {
            throw new InvalidResponse("content-length is no number");
        }
    }

    private void takeRack(String name, IRubyObject value) {
        if ("rack.hijack".equals(name) && !value.isNil()) {
            hijack = value;
        } else if ("rack.protocol".equals(name) && !value.isNil()) {
            protocol = bytes(value);
        }
    }

    private void takeHop(String name, IRubyObject value) {
        if (!(value instanceof RubyString text)) {
            return;
        }
        if ("upgrade".equals(name)) {
            upgrade = text.getByteList();
        } else if ("connection".equals(name)) {
            for (String word : text.toString().split(",")) {
                String nominee = word.strip().toLowerCase(Locale.ROOT);
                if (!HeaderNames.isHopByHop(nominee)) {
                    nominated.add(nominee);
                }
            }
        }
    }

    private void writeUpgrade(String offered) {
        ByteList name = protocol != null ? protocol : upgrade;
        head.add(UPGRADE, ascii(chosen(name == null ? null : name.toString(), offered)));
        head.add(CONNECTION, UPGRADE);
    }

    /** The protocol that is switched to: the first one offered when the app names none. */
    private static String chosen(String name, String offered) {
        for (String each : offered.split(",")) {
            String protocol = each.strip();
            if (!protocol.isEmpty() && (name == null || name.equalsIgnoreCase(protocol))) {
                return protocol;
            }
        }
        throw new InvalidResponse("it accepts a protocol that the request does not offer");
    }

    private static ByteList bytes(IRubyObject value) {
        if (value instanceof RubyString text) {
            return text.getByteList();
        }
        if (value instanceof RubySymbol || value instanceof RubyNumeric) {
            return value.asString().getByteList();
        }
        throw new InvalidResponse("a header has " + kind(value) + " in it");
    }

    private static String kind(IRubyObject value) {
        return "a " + value.getMetaClass().getRealClass();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
