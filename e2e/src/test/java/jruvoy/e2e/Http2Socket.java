// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * HTTP/2 with prior knowledge by hand (java.net.http only upgrades): frames are ours, header compression is netty's. Reads
 * only inside its methods, so that a test decides when windows are given back. Thread: one at a time.
 */
final class Http2Socket implements AutoCloseable {
    /** The window that HTTP/2 begins with. */
    static final int FIRST_WINDOW = 65_535;

    private static final int MAX_FRAME = 16_384;
    private static final int MAX_HEAD = 1 << 20;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, MAX_HEAD);
    private final Map<Integer, Http2Exchange> exchanges = new HashMap<>();
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private int nextStream = 1;
    private long sendWindow = FIRST_WINDOW;
    private long firstStreamWindow = FIRST_WINDOW;
    private boolean givesBack = true;
    private boolean goneAway;

    /** Connects to 127.0.0.1 and says hello. */
    Http2Socket(int port) {
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
            socket.setSoTimeout((int) Eventually.LIMIT.toMillis());
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 65_536));
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            send(new Http2Frame(Http2Frame.SETTINGS, 0, 0, Http2Frame.ofSettings(2, 0, 4, FIRST_WINDOW)));
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** From now on received body bytes are not given back as windows: a reader that stands still. */
    void keepWindows() {
        givesBack = false;
    }

    /** From now on windows are given back, and so many bytes of one stream at once. */
    void giveBack(int stream, int bytes) {
        givesBack = true;
        send(new Http2Frame(Http2Frame.WINDOW_UPDATE, 0, stream, Http2Frame.ofNumber(bytes)));
        send(new Http2Frame(Http2Frame.WINDOW_UPDATE, 0, 0, Http2Frame.ofNumber(bytes)));
    }

    /** Sends a request without body; fields are pairs of name and value. */
    int get(String path, String... fields) {
        return open("GET", path, true, fields);
    }

    /** Sends a request's head and returns its stream. */
    int open(String method, String path, boolean end, String... fields) {
        return openTo("localhost", method, path, end, fields);
    }

    /** The same for an authority of one's own. */
    int openTo(String authority, String method, String path, boolean end, String... fields) {
        Http2Headers headers = new DefaultHttp2Headers(false)
                .method(method)
                .path(path)
                .scheme("http")
                .authority(authority);
        for (int index = 0; index < fields.length; index += 2) {
            headers.add(fields[index], fields[index + 1]);
        }
        int stream = nextStream;
        nextStream += 2;
        exchanges.put(stream, new Http2Exchange(firstStreamWindow));
        sendFields(stream, headers, end);
        return stream;
    }

    /** Sends trailers, which end the request. */
    void trailers(int stream, String... fields) {
        Http2Headers headers = new DefaultHttp2Headers(false);
        for (int index = 0; index < fields.length; index += 2) {
            headers.add(fields[index], fields[index + 1]);
        }
        sendFields(stream, headers, true);
    }

    /** Sends body bytes, waiting for windows as needed. */
    void data(int stream, byte[] bytes, boolean end) {
        int from = 0;
        do {
            int length = Math.min(bytes.length - from, MAX_FRAME);
            Http2Exchange exchange = exchanges.get(stream);
            if (length > 0) {
                readUntil(() -> window(exchange) > 0 || exchange.isOver());
                length = (int) Math.min(length, window(exchange));
            }
            if (exchange.isOver()) {
                return;
            }
            sendData(stream, bytes, from, length, end && from + length == bytes.length);
            from += length;
        } while (from < bytes.length);
    }

    /** Sends body bytes only as far as the windows allow now; returns how many. */
    int dataWithinWindow(int stream, byte[] bytes) {
        Http2Exchange exchange = exchanges.get(stream);
        int length = (int) Math.min(Math.min(bytes.length, MAX_FRAME), window(exchange));
        if (length > 0) {
            sendData(stream, bytes, 0, length, false);
        }
        return Math.max(length, 0);
    }

    /** Cancels a stream. */
    void reset(int stream) {
        send(new Http2Frame(Http2Frame.RST_STREAM, 0, stream, Http2Frame.ofNumber(8)));
    }

    /** Reads until a stream is over and returns its answer. */
    HttpAnswer answer(int stream) {
        Http2Exchange exchange = exchanges.get(stream);
        readUntil(exchange::isOver);
        return exchange.answer();
    }

    /** Reads until the head of the answer is here. */
    HttpAnswer head(int stream) {
        Http2Exchange exchange = exchanges.get(stream);
        readUntil(() -> exchange.hasHead() || exchange.isOver());
        return exchange.answer();
    }

    /** Reads until so many body bytes are here, or the stream is over. */
    HttpAnswer received(int stream, int bytes) {
        Http2Exchange exchange = exchanges.get(stream);
        readUntil(() -> exchange.received() >= bytes || exchange.isOver());
        return exchange.answer();
    }

    /** Whether the server reset the stream. */
    boolean wasReset(int stream) {
        return exchanges.get(stream).wasReset();
    }

    /** Whether the server has said that it takes no more streams. */
    boolean isGoneAway() {
        return goneAway;
    }

    /** Reads what has arrived already, and whatever comes within so many milliseconds. */
    void readFor(int millis) {
        try {
            socket.setSoTimeout(millis);
            while (readFrame()) {
                continue;
            }
        } catch (SocketTimeoutException quiet) {
            return;
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        } finally {
            restoreTimeout();
        }
    }

    /** Cuts the connection with a reset. */
    void abort() {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        close();
    }

    @Override
    public void close() {
        encoder.close();
        try {
            socket.close();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private void restoreTimeout() {
        try {
            socket.setSoTimeout((int) Eventually.LIMIT.toMillis());
        } catch (IOException closed) {
            exchanges.values().forEach(exchange -> exchange.takeReset(0));
        }
    }

    private long window(Http2Exchange exchange) {
        return Math.min(sendWindow, exchange.sendWindow);
    }

    private void sendData(int stream, byte[] bytes, int from, int length, boolean end) {
        byte[] payload = Arrays.copyOfRange(bytes, from, from + length);
        send(new Http2Frame(Http2Frame.DATA, end ? Http2Frame.END_OR_ACK : 0, stream, payload));
        sendWindow -= length;
        exchanges.get(stream).sendWindow -= length;
    }

    private void sendFields(int stream, Http2Headers headers, boolean end) {
        ByteBuf encoded = Unpooled.buffer();
        try {
            encoder.encodeHeaders(stream, headers, encoded);
        } catch (Http2Exception exception) {
            throw new IllegalStateException(exception);
        }
        byte[] payload = new byte[encoded.readableBytes()];
        encoded.readBytes(payload);
        int flags = Http2Frame.END_HEADERS | (end ? Http2Frame.END_OR_ACK : 0);
        send(new Http2Frame(Http2Frame.HEADERS, flags, stream, payload));
    }

    private void send(Http2Frame frame) {
        try {
            socket.getOutputStream().write(frame.bytes());
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private void readUntil(BooleanSupplier enough) {
        try {
            while (!enough.getAsBoolean()) {
                if (!readFrame()) {
                    exchanges.values().stream().filter(open -> !open.isOver()).forEach(open -> open.takeReset(0));
                }
            }
        } catch (SocketTimeoutException exception) {
            throw new AssertionError("nothing came within the limit", exception);
        } catch (IOException cut) {
            exchanges.values().stream().filter(open -> !open.isOver()).forEach(open -> open.takeReset(0));
        }
    }

    private boolean readFrame() throws IOException {
        Http2Frame frame = Http2Frame.read(in);
        if (frame != null) {
            dispatch(frame);
        }
        return frame != null;
    }

    private void dispatch(Http2Frame frame) {
        switch (frame.type()) {
            case Http2Frame.DATA -> takeData(frame);
            case Http2Frame.HEADERS, Http2Frame.CONTINUATION -> takeFields(frame);
            case Http2Frame.RST_STREAM -> exchanges.get(frame.stream()).takeReset(frame.number(0));
            case Http2Frame.SETTINGS -> takeSettings(frame);
            case Http2Frame.WINDOW_UPDATE -> takeWindow(frame);
            case Http2Frame.GOAWAY -> goneAway = true;
            case Http2Frame.PING -> answerPing(frame);
            default -> {
                return;
            }
        }
    }

    private void answerPing(Http2Frame frame) {
        if (!frame.has(Http2Frame.END_OR_ACK)) {
            send(new Http2Frame(Http2Frame.PING, Http2Frame.END_OR_ACK, 0, frame.payload()));
        }
    }

    private void takeData(Http2Frame frame) {
        Http2Exchange exchange = exchanges.get(frame.stream());
        exchange.takeBody(frame.content());
        if (givesBack && frame.payload().length > 0) {
            giveBack(frame.stream(), frame.payload().length);
        }
        if (frame.has(Http2Frame.END_OR_ACK)) {
            exchange.takeEnd();
        }
    }

    private void takeFields(Http2Frame frame) {
        block.writeBytes(frame.type() == Http2Frame.HEADERS ? frame.content() : frame.payload());
        Http2Exchange exchange = exchanges.get(frame.stream());
        if (frame.has(Http2Frame.END_HEADERS)) {
            exchange.takeFields(decode(frame.stream()));
        }
        if (frame.type() == Http2Frame.HEADERS && frame.has(Http2Frame.END_OR_ACK)) {
            exchange.takeEnd();
        }
    }

    private List<HttpField> decode(int stream) {
        List<HttpField> fields = new ArrayList<>();
        try {
            Http2Headers headers = decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(block.toByteArray()));
            headers.forEach(entry -> fields.add(
                    new HttpField(entry.getKey().toString(), entry.getValue().toString())));
        } catch (Http2Exception exception) {
            throw new IllegalStateException(exception);
        }
        block.reset();
        return fields;
    }

    private void takeSettings(Http2Frame frame) {
        if (frame.has(Http2Frame.END_OR_ACK)) {
            return;
        }
        for (int at = 0; at < frame.payload().length; at += 6) {
            int name = ((frame.payload()[at] & 0xff) << 8) | (frame.payload()[at + 1] & 0xff);
            if (name == 4) {
                long change = frame.number(at + 2) - firstStreamWindow;
                firstStreamWindow += change;
                exchanges.values().forEach(exchange -> exchange.sendWindow += change);
            }
        }
        send(new Http2Frame(Http2Frame.SETTINGS, Http2Frame.END_OR_ACK, 0, new byte[0]));
    }

    private void takeWindow(Http2Frame frame) {
        if (frame.stream() == 0) {
            sendWindow += frame.number(0);
        } else {
            exchanges.get(frame.stream()).sendWindow += frame.number(0);
        }
    }
}
