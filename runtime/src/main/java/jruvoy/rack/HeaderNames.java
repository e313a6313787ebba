// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jruby.util.ByteList;

/**
 * Names of response headers, checked and classified once: later the bytes are found again as they are.
 *
 * <p>Thread: the owner.
 */
final class HeaderNames {
    /** What a header is to the server. */
    enum Kind {
        /** Goes out as it is. */
        PLAIN,
        /** Must agree with the body. */
        CONTENT_LENGTH,
        /** Not where there is no content. */
        CONTENT_TYPE,
        /** Between the app and the server. */
        RACK,
        /** Belongs to the hop to the client. */
        HOP
    }

    /** A name and what it means. */
    static final class Name {
        final byte[] bytes;
        final String text;
        final Kind kind;
        private final byte[] spelling;

        Name(byte[] spelling, String text, Kind kind) {
            this.spelling = spelling;
            this.text = text;
            this.bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            this.kind = kind;
        }
    }

    private static final int PLACES = 512;
    private static final String MARKS = "!#$%&'*+-.^_`|~";

    /** Names that the hop to the client owns, and one that Rack forbids. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "status");

    private final Name[] places = new Name[PLACES];

    /**
     * The name that these bytes spell, in any case.
     *
     * @throws InvalidResponse when they are no name
     */
    Name of(ByteList spelling) {
        byte[] bytes = spelling.unsafeBytes();
        int at = spelling.begin();
        int end = at + spelling.realSize();
        int hash = 0;
        for (int i = at; i < end; i++) {
            hash = 31 * hash + bytes[i];
        }
        int place = (hash ^ hash >>> 9) & PLACES - 1;
        Name name = places[place];
        if (name != null && Arrays.equals(name.spelling, 0, name.spelling.length, bytes, at, end)) {
            return name;
        }
        return places[place] = make(Arrays.copyOfRange(bytes, at, end));
    }

    /** Whether the server never lets an app send this. */
    static boolean isHopByHop(String name) {
        return HOP_BY_HOP.contains(name);
    }

    private static Name make(byte[] spelling) {
        String text = new String(spelling, StandardCharsets.ISO_8859_1);
        if (text.isEmpty() || !text.chars().allMatch(HeaderNames::isToken)) {
            throw new InvalidResponse("a header is called " + shown(text));
        }
        String lower = text.toLowerCase(Locale.ROOT);
        return new Name(spelling, lower, kind(lower));
    }

    private static Kind kind(String name) {
        return switch (name) {
            case "content-length" -> Kind.CONTENT_LENGTH;
            case "content-type" -> Kind.CONTENT_TYPE;
            default -> name.startsWith("rack.") ? Kind.RACK : isHopByHop(name) ? Kind.HOP : Kind.PLAIN;
        };
    }

    private static boolean isToken(int letter) {
        return letter >= 'a' && letter <= 'z'
                || letter >= 'A' && letter <= 'Z'
                || letter >= '0' && letter <= '9'
                || MARKS.indexOf(letter) >= 0;
    }

    /** For the log: short, and without what could break its line. */
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), 60); i++) {
            char letter = text.charAt(i);
            shown.append(letter < ' ' || letter > '~' ? '?' : letter);
        }
        return shown.append('"').toString();
    }
}
