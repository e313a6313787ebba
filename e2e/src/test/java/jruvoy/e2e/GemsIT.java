// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The server's own gems as an app without a Gemfile sees them. */
class GemsIT {
    @Test
    void serversGemsCanBeNamedAndAreLoadedOnce() {
        try (ServerProcess server = ServerLaunch.serve("gems").ready()) {
            String text = server.get("/").text();
            assertTrue(text.matches("async [0-9.]+, by folder: true, twice: \n"), text);
            assertEquals(0, server.stop(), server::tail);
        }
    }
}
