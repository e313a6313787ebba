// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** HTTP/1 by hand: sends exactly the bytes it is given and reads answers piece by piece. Thread: one at a time. */
final class Http1Socket implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream in;

    /** Connects to 127.0.0.1. */
    Http1Socket(int port) {
        this(port, 0);
    }

    /** Connects with a receive buffer of so many bytes; 0 leaves the system's. */
    Http1Socket(int port, int receiveBuffer) {
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
            socket.setSoTimeout((int) Eventually.LIMIT.toMillis());
            in = new BufferedInputStream(socket.getInputStream(), 8_192);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** Sends text, one byte per char. */
    Http1Socket send(String text) {
        return send(text.getBytes(StandardCharsets.ISO_8859_1), 0, text.length());
    }

    /** Sends bytes. */
    Http1Socket send(byte[] bytes) {
        return send(bytes, 0, bytes.length);
    }

    /** Sends part of an array. */
    Http1Socket send(byte[] bytes, int from, int length) {
        try {
            socket.getOutputStream().write(bytes, from, length);
            return this;
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** Sends a GET. */
    Http1Socket get(String path) {
        return request("GET", path);
    }

    /** Sends a request without body; fields are whole lines such as {@code "accept: x"}. */
    Http1Socket request(String method, String path, String... fields) {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nhost: localhost\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return send(head.append("\r\n").toString());
    }

    /** Sends a POST with a content-length. */
    Http1Socket post(String path, byte[] body, String... fields) {
        List<String> lines = new ArrayList<>(List.of(fields));
        lines.add("content-length: " + body.length);
        return request("POST", path, lines.toArray(String[]::new)).send(body);
    }

    /** Sends the head of a chunked POST. */
    Http1Socket postChunked(String path, String... fields) {
        List<String> lines = new ArrayList<>(List.of(fields));
        lines.add("transfer-encoding: chunked");
        return request("POST", path, lines.toArray(String[]::new));
    }

    /** Sends one chunk of a chunked body; an empty one ends it. */
    Http1Socket chunk(byte[] bytes, int from, int length) {
        send(Integer.toHexString(length) + "\r\n");
        return send(bytes, from, length).send("\r\n");
    }

    /** Sends one chunk of text. */
    Http1Socket chunk(String text) {
        return chunk(text.getBytes(StandardCharsets.ISO_8859_1), 0, text.length());
    }

    /** Reads a whole answer to a GET or POST; interim answers are skipped. */
    HttpAnswer answer() {
        HttpAnswer head = head();
        while (head.status() < 200 && head.status() != 101) {
            head = head();
        }
        return rest(head);
    }

    /** Reads the body that belongs to a head that was read before. */
    HttpAnswer rest(HttpAnswer head) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        List<HttpField> trailers = new ArrayList<>();
        boolean complete = readBody(head, body, trailers);
        return new HttpAnswer(head.status(), head.fields(), body.toByteArray(), trailers, complete);
    }

    /** Reads a status line and header lines; no body. */
    HttpAnswer head() {
        String status = line();
        if (status == null) {
            throw new UncheckedIOException(new IOException("closed before an answer"));
        }
        if (!status.matches("HTTP/1\\.[01] \\d{3}( .*)?")) {
            throw new AssertionError("not a status line: " + status);
        }
        return new HttpAnswer(Integer.parseInt(status.substring(9, 12)), fields(), new byte[0], List.of(), true);
    }

    /** Reads the next chunk of a chunked body; null for the last one, whose trailers stay unread. */
    byte[] nextChunk() {
        String size = line();
        if (size == null) {
            throw new UncheckedIOException(new IOException("cut between chunks"));
        }
        int length = Integer.parseInt(size.replaceAll(";.*", ""), 16);
        byte[] chunk = take(length);
        if (chunk.length < length) {
            throw new UncheckedIOException(new IOException("cut inside a chunk"));
        }
        if (length > 0) {
            line();
        }
        return length == 0 ? null : chunk;
    }

    /** Reads chunks until so much text has come, and returns it. */
    String chunksUntil(int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            byte[] chunk = nextChunk();
            if (chunk == null) {
                throw new AssertionError("ended after: " + text);
            }
            text.append(new String(chunk, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    /** Reads up to so many bytes as they are on the wire; fewer only at the end. */
    byte[] take(int length) {
        try {
            return in.readNBytes(length);
        } catch (SocketTimeoutException exception) {
            throw new AssertionError("nothing came within the limit", exception);
        } catch (IOException exception) {
            return new byte[0];
        }
    }

    /** Whether the server ends the connection from here on without another byte. */
    boolean endsHere() {
        return take(1).length == 0;
    }

    /** Whether this side is connected. */
    boolean isOpen() {
        return socket.isConnected() && !socket.isClosed();
    }

    /** Ends the sending direction only. */
    void endSending() {
        try {
            socket.shutdownOutput();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** Cuts the connection with a reset. */
    void abort() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private boolean readBody(HttpAnswer head, ByteArrayOutputStream body, List<HttpField> trailers) {
        if (head.status() == 204 || head.status() == 304 || head.status() == 101) {
            return true;
        }
        if ("chunked".equalsIgnoreCase(head.value("transfer-encoding"))) {
            return readChunks(body, trailers);
        }
        String length = head.value("content-length");
        if (length == null) {
            return readToEnd(body);
        }
        byte[] bytes = take(Integer.parseInt(length));
        body.writeBytes(bytes);
        return bytes.length == Integer.parseInt(length);
    }

    private boolean readChunks(ByteArrayOutputStream body, List<HttpField> trailers) {
        try {
            byte[] chunk = nextChunk();
            while (chunk != null) {
                body.writeBytes(chunk);
                chunk = nextChunk();
            }
            trailers.addAll(fields());
            return true;
        } catch (UncheckedIOException cut) {
            return false;
        }
    }

    private boolean readToEnd(ByteArrayOutputStream body) {
        try {
            in.transferTo(body);
            return true;
        } catch (IOException reset) {
            return false;
        }
    }

    private List<HttpField> fields() {
        List<HttpField> fields = new ArrayList<>();
        String line = line();
        while (line != null && !line.isEmpty()) {
            int colon = line.indexOf(':');
            fields.add(new HttpField(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip()));
            line = line();
        }
        if (line == null) {
            throw new UncheckedIOException(new IOException("cut inside header lines"));
        }
        return fields;
    }

    private String line() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            int octet = in.read();
            while (octet != '\n' && octet >= 0) {
                line.write(octet);
                octet = in.read();
            }
            if (octet < 0 && line.size() == 0) {
                return null;
            }
            String text = line.toString(StandardCharsets.ISO_8859_1);
            return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        } catch (SocketTimeoutException exception) {
            throw new AssertionError("nothing came within the limit", exception);
        } catch (IOException exception) {
            return null;
        }
    }
}
