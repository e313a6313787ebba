// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests of a class: started before the first, seen to be alive after each, stopped with status 0 after
 * the last. Thread: the test's.
 */
final class SharedServer implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final String fixture;
    private final String[] options;
    private ServerProcess server;

    /** A server of a fixture with more options of the command. */
    SharedServer(String fixture, String... options) {
        this.fixture = fixture;
        this.options = options;
    }

    /** The running server. */
    ServerProcess process() {
        return server;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = ServerLaunch.serve(fixture, options).ready();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        context.getExecutionException()
                .ifPresent(failure -> System.err.println(
                        "server's log after " + context.getDisplayName() + " had failed:\n" + server.tail()));
        assertTrue(server.isAlive(), server::tail);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (server == null) {
            return;
        }
        try {
            assertEquals(0, server.stop(), server::tail);
        } finally {
            server.close();
        }
    }
}
