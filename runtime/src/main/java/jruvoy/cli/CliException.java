// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

/** A failure that ends the command with one line on standard error and a status of its own. */
final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    private CliException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Wrong words on the command line: status 2. */
    static CliException usage(String message) {
        return new CliException(Main.STATUS_USAGE, message);
    }

    /** Right words, but the server cannot start: status 1. */
    static CliException failure(String message) {
        return new CliException(Main.STATUS_FAILURE, message);
    }

    int status() {
        return status;
    }
}
