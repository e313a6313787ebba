// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A response as it came.
 *
 * @param status the status code
 * @param fields header lines in order
 * @param body the bytes, without framing
 * @param trailers trailer lines in order
 * @param complete whether it ended as its framing says; false when it was cut or reset
 */
record HttpAnswer(int status, List<HttpField> fields, byte[] body, List<HttpField> trailers, boolean complete) {
    /** The body as text. */
    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The first value of a header, or null. */
    String value(String name) {
        List<String> values = values(name);
        return values.isEmpty() ? null : values.get(0);
    }

    /** All values of a header. */
    List<String> values(String name) {
        return valuesIn(fields, name);
    }

    /** The first value of a trailer, or null. */
    String trailer(String name) {
        List<String> values = valuesIn(trailers, name);
        return values.isEmpty() ? null : values.get(0);
    }

    private static List<String> valuesIn(List<HttpField> list, String name) {
        return list.stream()
                .filter(field -> field.name().equals(name))
                .map(HttpField::value)
                .toList();
    }
}
