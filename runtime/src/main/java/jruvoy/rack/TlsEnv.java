// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import jruvoy.bridge.Layout;
import jruvoy.bridge.RequestRecord;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.util.ByteList;

/**
 * What an env tells about TLS, under the names that CGI servers and mod_ssl have made common. Nothing without TLS.
 *
 * <p>Thread: the owner.
 */
final class TlsEnv {
    private static final ByteList ON = new ByteList(new byte[] {'o', 'n'}, ASCIIEncoding.INSTANCE, false);

    private final RubyString https;
    private final RubyString version;
    private final RubyString serverName;
    private final RubyString peerSubject;

    TlsEnv(EnvKeys keys) {
        https = keys.intern("HTTPS");
        version = keys.intern("SSL_PROTOCOL");
        serverName = keys.intern("SSL_TLS_SNI");
        peerSubject = keys.intern("SSL_CLIENT_S_DN");
    }

    /** The facts of a record. */
    void put(RubyHash env, byte[] record) {
        if (RequestRecord.length(record, Layout.FIELD_TLS_VERSION) == 0) {
            return;
        }
        env.fastASet(https, RubyString.newStringShared(env.getRuntime(), ON));
        put(env, version, record, Layout.FIELD_TLS_VERSION);
        put(env, serverName, record, Layout.FIELD_TLS_SERVER_NAME);
        put(env, peerSubject, record, Layout.FIELD_TLS_PEER_SUBJECT);
    }

    private static void put(RubyHash env, RubyString key, byte[] record, int field) {
        int length = RequestRecord.length(record, field);
        if (length > 0) {
            int at = RequestRecord.offset(record, field);
            env.fastASet(key, RubyString.newStringShared(env.getRuntime(), record, at, length, ASCIIEncoding.INSTANCE));
        }
    }
}
