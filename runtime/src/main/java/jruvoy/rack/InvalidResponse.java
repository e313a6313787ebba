// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

/**
 * What the app returned is no response that HTTP could carry. The message is for the log, never for the client.
 *
 * <p>Thread: any.
 */
final class InvalidResponse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidResponse(String message) {
        super(message, null, false, false);
    }
}
