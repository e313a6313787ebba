// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.util.List;
import java.util.Random;

/**
 * Requests that HTTP/1.1 forbids; the path ends in KEY, for a test to replace. Not here is what Envoy takes nevertheless: a
 * version like HTTP/7.1, none at all, and bytes between a chunk and its line end. Thread: any.
 */
final class Malformed {
    private static final String LINE = "POST /touch/KEY HTTP/1.1\r\n";
    private static final String HOST = "host: localhost\r\n";

    private Malformed() {}

    /** Requests whose head is wrong, with harmless lines around what is wrong. */
    static List<String> heads(Random random) {
        String filler = "x-filler: " + "f".repeat(random.nextInt(200)) + "\r\n";
        return List.of(
                "PO ST /touch/KEY HTTP/1.1\r\n" + HOST + "\r\n",
                "POST /touch/KEY HTTP/1.1 x\r\n" + HOST + "\r\n",
                "POST /touch/KEY HTTQ/1.1\r\n" + HOST + "\r\n",
                "P\u0001ST /touch/KEY HTTP/1.1\r\n" + HOST + "\r\n",
                "POST /touch/KEY\u0000 HTTP/1.1\r\n" + HOST + "\r\n",
                LINE + filler + "\r\n",
                LINE + HOST + "host: other\r\n" + "\r\n",
                LINE + "host: a b\r\n\r\n",
                LINE + "host: user@localhost\r\n\r\n",
                LINE + "host: a:b:c\r\n\r\n",
                LINE + "host: [::1\r\n\r\n",
                LINE + "host: a:99999999\r\n\r\n",
                LINE + HOST + filler + "x-name : blank before the colon\r\n\r\n",
                LINE + HOST + filler + "x name: blank in the name\r\n\r\n",
                LINE + HOST + filler + "no colon at all\r\n\r\n",
                LINE + HOST + filler + ": no name\r\n\r\n",
                LINE + HOST + filler + "x-nul: a\u0000b\r\n\r\n",
                LINE + HOST + filler + "x_underscore: a\r\n\r\n",
                LINE + HOST + filler + "content-length: 5\r\ncontent-length: 6\r\n\r\nhello",
                LINE + HOST + filler + "content-length: 5x\r\n\r\nhello",
                LINE + HOST + filler + "content-length: -5\r\n\r\nhello",
                LINE + HOST + filler + "content-length: +5\r\n\r\nhello",
                LINE + HOST + filler + "content-length: 99999999999999999999\r\n\r\nhello",
                LINE + HOST + filler + "transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n",
                LINE + HOST + filler + "transfer-encoding: gzip\r\n\r\nhello",
                LINE + HOST + filler + "transfer-encoding: chunked, gzip\r\n\r\nhello",
                LINE + HOST + filler + "x-big: " + "b".repeat(70_000) + "\r\n\r\n");
    }

    /** Bodies that do not keep to the chunked coding, or end before it does. */
    static List<String> chunks() {
        return List.of(
                "5\r\nhello",
                "5\r\nhello\r\n",
                "x\r\nhello\r\n0\r\n\r\n",
                "-5\r\nhello\r\n0\r\n\r\n",
                "ffffffffffffffffff\r\nhello\r\n0\r\n\r\n",
                "5\r\nhello\r\n0\r\n");
    }
}
