// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import jruvoy.bridge.Layout;
import jruvoy.bridge.RequestRecord;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.api.Create;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Makes the env Hash of a request from its record. Values are binary strings that share the record's bytes until the
 * app changes one; nothing is decoded.
 *
 * <p>Thread: the owner.
 */
final class RackEnv {
    private static final int BUCKETS = 48;
    private static final ByteList EMPTY = new ByteList(new byte[0], ASCIIEncoding.INSTANCE, false);
    private static final ByteList ROOT = new ByteList(new byte[] {'/'}, ASCIIEncoding.INSTANCE, false);
    private static final ByteList HTTP_PORT = new ByteList(new byte[] {'8', '0'}, ASCIIEncoding.INSTANCE, false);
    private static final ByteList HTTPS_PORT = new ByteList(new byte[] {'4', '4', '3'}, ASCIIEncoding.INSTANCE, false);

    private final Ruby runtime;
    private final EnvKeys keys;
    private final RubyString method;
    private final RubyString scriptName;
    private final RubyString pathInfo;
    private final RubyString queryString;
    private final RubyString serverName;
    private final RubyString serverPort;
    private final RubyString serverProtocol;
    private final RubyString remoteAddress;
    private final RubyString host;
    private final RubyString scheme;
    private final TlsEnv tls;
    private int serial;

    RackEnv(Ruby runtime, EnvKeys keys) {
        this.runtime = runtime;
        this.keys = keys;
        method = keys.intern("REQUEST_METHOD");
        scriptName = keys.intern("SCRIPT_NAME");
        pathInfo = keys.intern("PATH_INFO");
        queryString = keys.intern("QUERY_STRING");
        serverName = keys.intern("SERVER_NAME");
        serverPort = keys.intern("SERVER_PORT");
        serverProtocol = keys.intern("SERVER_PROTOCOL");
        remoteAddress = keys.intern("REMOTE_ADDR");
        host = keys.intern("HTTP_HOST");
        scheme = keys.intern("rack.url_scheme");
        tls = new TlsEnv(keys);
    }

    /** The part of the env that the record tells. */
    RubyHash build(byte[] record) {
        RubyHash env = RubyHash.newHash(runtime, BUCKETS);
        env.fastASet(method, field(record, Layout.FIELD_METHOD));
        env.fastASet(scriptName, shared(EMPTY));
        putPath(env, record);
        putAuthority(env, record);
        env.fastASet(serverProtocol, field(record, Layout.FIELD_PROTOCOL));
        env.fastASet(scheme, field(record, Layout.FIELD_SCHEME));
        putRemoteAddress(env, record);
        tls.put(env, record);
        putHeaders(env, record);
        return env;
    }

    /** The trailers of a request, by their names in lower case; repeated ones are joined. */
    void putTrailers(RubyHash trailers, byte[] record) {
        int count = RequestRecord.headerCount(record);
        for (int i = 0; i < count; i++) {
            RubyString name = slice(record, RequestRecord.nameOffset(record, i), RequestRecord.nameLength(record, i));
            RubyString value =
                    slice(record, RequestRecord.valueOffset(record, i), RequestRecord.valueLength(record, i));
            name.setFrozen(true);
            IRubyObject before = trailers.fastARef(name);
            trailers.fastASet(name, before == null ? value : join((RubyString) before, EnvKeys.COMMA, value));
        }
    }

    /** The protocols that an upgrade request offers, from its Upgrade header. */
    RubyArray<?> protocols(ThreadContext context, RubyHash env) {
        RubyArray<?> offered = Create.newArray(context);
        IRubyObject header = env.fastARef(keys.intern("HTTP_UPGRADE"));
        if (header != null) {
            for (String name : header.toString().split(",")) {
                if (!name.isBlank()) {
                    offered.append(context, runtime.newString(name.strip()));
                }
            }
        }
        return offered;
    }

    private void putPath(RubyHash env, byte[] record) {
        int at = RequestRecord.offset(record, Layout.FIELD_PATH);
        int end = at + RequestRecord.length(record, Layout.FIELD_PATH);
        int query = at;
        while (query < end && record[query] != '?') {
            query++;
        }
        int path = pathStart(record, at, query);
        env.fastASet(pathInfo, path < query ? slice(record, path, query - path) : shared(ROOT));
        env.fastASet(queryString, query < end ? slice(record, query + 1, end - query - 1) : shared(EMPTY));
    }

    /** Envoy makes an absolute-form target a path; where another hop did not, the path is behind the authority. */
    private static int pathStart(byte[] record, int at, int end) {
        if (at == end || record[at] == '/' || record[at] == '*') {
            return at;
        }
        int slashes = 0;
        for (int i = at; i < end; i++) {
            if (record[i] == '/' && ++slashes == 3) {
                return i;
            }
        }
        return slashes == 2 ? end : at;
    }

    private void putAuthority(RubyHash env, byte[] record) {
        int at = RequestRecord.offset(record, Layout.FIELD_AUTHORITY);
        int length = RequestRecord.length(record, Layout.FIELD_AUTHORITY);
        int end = at + length;
        int colon = end;
        while (colon > at && record[colon - 1] != ':' && record[colon - 1] != ']') {
            colon--;
        }
        boolean hasPort = colon > at && record[colon - 1] == ':';
        if (length > 0) {
            env.fastASet(host, slice(record, at, length));
        }
        env.fastASet(serverName, slice(record, at, hasPort ? colon - 1 - at : length));
        env.fastASet(serverPort, hasPort && colon < end ? slice(record, colon, end - colon) : defaultPort(record));
    }

    private RubyString defaultPort(byte[] record) {
        boolean secure = RequestRecord.length(record, Layout.FIELD_SCHEME) == "https".length();
        return shared(secure ? HTTPS_PORT : HTTP_PORT);
    }

    private void putRemoteAddress(RubyHash env, byte[] record) {
        int at = RequestRecord.offset(record, Layout.FIELD_REMOTE_ADDRESS);
        int length = RequestRecord.length(record, Layout.FIELD_REMOTE_ADDRESS);
        int end = at + length;
        if (length > 0 && record[at] == '[') {
            int bracket = at;
            while (bracket < end && record[bracket] != ']') {
                bracket++;
            }
            env.fastASet(remoteAddress, slice(record, at + 1, bracket - at - 1));
            return;
        }
        int colon = end;
        while (colon > at && record[colon - 1] != ':') {
            colon--;
        }
        env.fastASet(remoteAddress, slice(record, at, colon > at ? colon - 1 - at : length));
    }

    private void putHeaders(RubyHash env, byte[] record) {
        int request = ++serial;
        int count = RequestRecord.headerCount(record);
        for (int i = 0; i < count; i++) {
            int at = RequestRecord.nameOffset(record, i);
            EnvKeys.Key key = keys.of(record, at, RequestRecord.nameLength(record, i));
            if (key.name == null) {
                continue;
            }
            RubyString value =
                    slice(record, RequestRecord.valueOffset(record, i), RequestRecord.valueLength(record, i));
            // A key that was just made may be the successor of one that this request has used.
            boolean mayRepeat = key.request == request || key.request < 0;
            IRubyObject before = mayRepeat ? env.fastARef(key.name) : null;
            env.fastASet(key.name, before == null ? value : join((RubyString) before, key.separator, value));
            key.request = request;
        }
    }

    private RubyString join(RubyString first, byte[] separator, RubyString second) {
        ByteList joined = new ByteList(
                first.getByteList().realSize() + 2 + second.getByteList().realSize());
        joined.setEncoding(ASCIIEncoding.INSTANCE);
        joined.append(first.getByteList());
        joined.append(separator);
        joined.append(second.getByteList());
        return RubyString.newString(runtime, joined);
    }

    private RubyString field(byte[] record, int field) {
        return slice(record, RequestRecord.offset(record, field), RequestRecord.length(record, field));
    }

    private RubyString shared(ByteList bytes) {
        return RubyString.newStringShared(runtime, bytes);
    }

    private RubyString slice(byte[] record, int at, int length) {
        return RubyString.newStringShared(runtime, record, at, length, ASCIIEncoding.INSTANCE);
    }
}
