// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** What has come back on one HTTP/2 stream so far. Thread: its socket's. */
final class Http2Exchange {
    /** Bytes that may still be sent. */
    long sendWindow;

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final List<HttpField> trailers = new ArrayList<>();
    private List<HttpField> fields = List.of();
    private int status;
    private boolean ended;
    private int resetCode = -1;

    Http2Exchange(long sendWindow) {
        this.sendWindow = sendWindow;
    }

    void takeFields(List<HttpField> received) {
        int code = received.stream()
                .filter(field -> field.name().equals(":status"))
                .mapToInt(field -> Integer.parseInt(field.value()))
                .findFirst()
                .orElse(0);
        if (code == 0) {
            trailers.addAll(received);
        } else if (code >= 200) {
            status = code;
            fields = received;
        }
    }

    void takeBody(byte[] bytes) {
        body.writeBytes(bytes);
    }

    void takeEnd() {
        ended = true;
    }

    void takeReset(int code) {
        resetCode = code;
    }

    /** Whether the head of the final answer is here. */
    boolean hasHead() {
        return status != 0;
    }

    /** Whether nothing more will come. */
    boolean isOver() {
        return ended || resetCode >= 0;
    }

    /** Whether the server reset the stream. */
    boolean wasReset() {
        return resetCode >= 0;
    }

    /** Body bytes so far. */
    int received() {
        return body.size();
    }

    /** What has come so far, as an answer. */
    HttpAnswer answer() {
        return new HttpAnswer(status, fields, body.toByteArray(), List.copyOf(trailers), ended);
    }
}
