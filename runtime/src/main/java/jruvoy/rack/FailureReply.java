// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.nio.charset.StandardCharsets;
import jruvoy.bridge.HeaderBlock;
import jruvoy.bridge.Response;
import jruvoy.bridge.Stream;

/**
 * The answer to a request whose app failed: a bare status, in the client's language, without a word about the reason.
 *
 * <p>Thread: the owner.
 */
final class FailureReply {
    private static final byte[] TEXT = ascii("Internal server error\n");
    private static final byte[] JSON = ascii("{\"status\":500,\"error\":\"Internal server error\"}\n");

    private FailureReply() {}

    /** Sends the answer and ends the response. */
    static void send(Stream stream, byte[] record, boolean isHead) {
        Response response = stream.response();
        HeaderBlock head = new HeaderBlock();
        if (RequestLabel.header(record, "content-type").startsWith("application/grpc")) {
            add(head, ":status", "200");
            add(head, "content-type", "application/grpc");
            add(head, "grpc-status", "13");
            add(head, "grpc-message", "Internal server error");
            response.beginBodiless(head);
        } else {
            boolean json = RequestLabel.header(record, "accept").contains("application/json");
            byte[] body = json ? JSON : TEXT;
            add(head, ":status", "500");
            add(head, "content-type", json ? "application/json" : "text/plain");
            add(head, "content-length", Integer.toString(body.length));
            if (isHead) {
                response.beginBodiless(head);
            } else {
                response.begin(head, body.length, false);
                response.write(body, 0, body.length);
            }
        }
        response.finish(null, false);
    }

    private static void add(HeaderBlock head, String name, String value) {
        head.add(ascii(name), ascii(value));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
