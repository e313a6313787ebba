// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.util.ArrayList;
import java.util.List;

/** The protocols that a test is repeated over, with one face. Thread: one at a time per connection. */
enum Wire {
    /** HTTP/1.1. */
    HTTP1 {
        @Override
        Connection connect(int port) {
            return new OverHttp1(new Http1Socket(port));
        }
    },
    /** HTTP/2 with prior knowledge. */
    HTTP2 {
        @Override
        Connection connect(int port) {
            return new OverHttp2(new Http2Socket(port));
        }
    };

    /** Connects to 127.0.0.1. */
    abstract Connection connect(int port);

    /** A connection; requests on it follow each other. Fields are pairs of name and value. */
    interface Connection extends AutoCloseable {
        /** Sends a request for a host with a body, or with none where it is null, and reads the answer. */
        HttpAnswer askAt(String host, String method, String path, byte[] body, String... fields);

        /** A request without body for localhost. */
        default HttpAnswer ask(String method, String path, String... fields) {
            return askAt("localhost", method, path, null, fields);
        }

        /** A GET of localhost. */
        default HttpAnswer get(String path, String... fields) {
            return ask("GET", path, fields);
        }

        @Override
        void close();
    }

    private record OverHttp1(Http1Socket socket) implements Connection {
        @Override
        public HttpAnswer askAt(String host, String method, String path, byte[] body, String... fields) {
            List<String> lines = new ArrayList<>(List.of(method + " " + path + " HTTP/1.1", "host: " + host));
            for (int index = 0; index < fields.length; index += 2) {
                lines.add(fields[index] + ": " + fields[index + 1]);
            }
            if (body != null) {
                lines.add("content-length: " + body.length);
            }
            socket.send(String.join("\r\n", lines) + "\r\n\r\n").send(body == null ? new byte[0] : body);
            return method.equals("HEAD") ? socket.head() : socket.answer();
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    private record OverHttp2(Http2Socket socket) implements Connection {
        @Override
        public HttpAnswer askAt(String host, String method, String path, byte[] body, String... fields) {
            int stream = socket.openTo(host, method, path, body == null, fields);
            if (body != null) {
                socket.data(stream, body, true);
            }
            return socket.answer(stream);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
