// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.util.ByteList;

/**
 * The env key of a header name, interned, found by the name's bytes without making a string.
 *
 * <p>Clients choose header names, so the table is bounded: one name per place, and a new one takes the place over.
 *
 * <p>Thread: the owner.
 */
final class EnvKeys {
    private static final int PLACES = 1024;

    /** A header name and what becomes of it. */
    static final class Key {
        /** The key in the env, frozen and interned; null when the header must not reach the app. */
        final RubyString name;
        /** What stands between the values when the header comes several times. */
        final byte[] separator;
        /** The last request that used this; lets a repeated header be seen without a look at the env. */
        int request;

        private final byte[] header;

        Key(byte[] header, RubyString name, byte[] separator) {
            this.header = header;
            this.name = name;
            this.separator = separator;
        }
    }

    /** Joins the values of a repeated header. */
    static final byte[] COMMA = {',', ' '};

    private static final byte[] SEMICOLON = {';', ' '};

    private final Ruby runtime;
    private final Key[] places = new Key[PLACES];

    EnvKeys(Ruby runtime) {
        this.runtime = runtime;
    }

    /** The key of the header whose name lies in these bytes, in lower case as Envoy hands it over. */
    Key of(byte[] bytes, int at, int length) {
        int hash = length;
        for (int i = at; i < at + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        int place = (hash ^ hash >>> 10) & PLACES - 1;
        Key key = places[place];
        if (key != null && Arrays.equals(key.header, 0, key.header.length, bytes, at, at + length)) {
            return key;
        }
        return places[place] = make(Arrays.copyOfRange(bytes, at, at + length));
    }

    /** An interned string, for keys and values that never change. */
    RubyString intern(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return runtime.freezeAndDedupString(new ByteList(bytes, UTF8Encoding.INSTANCE, false));
    }

    private Key make(byte[] header) {
        String name = new String(header, StandardCharsets.ISO_8859_1);
        RubyString key = isHidden(name) ? null : intern(envName(name));
        Key made = new Key(header, key, "cookie".equals(name) ? SEMICOLON : COMMA);
        made.request = -1;
        return made;
    }

    /**
     * Headers that no app may see. With an underscore a name could stand in for another one that the proxy in front
     * guards; a Proxy header would be taken for the HTTP_PROXY setting by many a library; a host beside the authority
     * could contradict it.
     */
    private static boolean isHidden(String name) {
        return switch (name) {
            case "", "proxy", "host" -> true;
            default -> name.indexOf('_') >= 0 || name.charAt(0) == ':';
        };
    }

    private static String envName(String name) {
        StringBuilder key = new StringBuilder(name.length() + 5);
        if (!"content-type".equals(name) && !"content-length".equals(name)) {
            key.append("HTTP_");
        }
        for (int i = 0; i < name.length(); i++) {
            char letter = name.charAt(i);
            key.append(letter == '-' ? '_' : Character.toUpperCase(letter));
        }
        return key.toString();
    }
}
