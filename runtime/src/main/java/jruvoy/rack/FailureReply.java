// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.nio.charset.StandardCharsets;
import jruvoy.bridge.HeaderBlock;
import jruvoy.bridge.Response;
import jruvoy.bridge.Stream;

/**
 * Answers that the server gives in the app's place: a bare status, in the client's language, without a word about the
 * reason.
 *
 * <p>Thread: the owner.
 */
enum FailureReply {
    /** The app failed. */
    ERROR(500, 13, "Internal server error"),
    /** The server stops and the app had not answered yet. */
    UNAVAILABLE(503, 14, "Service unavailable");

    private final int status;
    private final int grpcStatus;
    private final String text;

    FailureReply(int status, int grpcStatus, String text) {
        this.status = status;
        this.grpcStatus = grpcStatus;
        this.text = text;
    }

    /** Sends the answer instead of the app's; where it is too late for that the stream is cut. */
    void replace(Stream stream, byte[] record, boolean isHead) {
        if (stream.isClosed() || stream.isAnswered()) {
            return;
        }
        Response response = stream.response();
        if (response.isRevocable()) {
            response.revoke();
            send(stream, record, isHead);
        } else {
            response.reset();
        }
    }

    private void send(Stream stream, byte[] record, boolean isHead) {
        HeaderBlock head = new HeaderBlock();
        if (RequestLabel.header(record, "content-type").startsWith("application/grpc")) {
            add(head, ":status", "200");
            add(head, "content-type", "application/grpc");
            add(head, "grpc-status", Integer.toString(grpcStatus));
            add(head, "grpc-message", text);
            stream.response().beginBodiless(head);
        } else {
            add(head, ":status", Integer.toString(status));
            if (this == UNAVAILABLE) {
                add(head, "retry-after", "1");
            }
            sendBody(stream.response(), record, head, isHead);
        }
        stream.response().finish(null, false);
    }

    private void sendBody(Response response, byte[] record, HeaderBlock head, boolean isHead) {
        boolean json = RequestLabel.header(record, "accept").contains("application/json");
        byte[] body = ascii(json ? "{\"status\":" + status + ",\"error\":\"" + text + "\"}\n" : text + "\n");
        add(head, "content-type", json ? "application/json" : "text/plain");
        add(head, "content-length", Integer.toString(body.length));
        if (isHead) {
            response.beginBodiless(head);
        } else {
            response.begin(head, body.length, false);
            response.write(body, 0, body.length);
        }
    }

    private static void add(HeaderBlock head, String name, String value) {
        head.add(ascii(name), ascii(value));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
