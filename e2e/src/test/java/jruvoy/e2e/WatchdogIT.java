// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A request that keeps its owner is named in the log, once, with the place in its Ruby. */
class WatchdogIT {
    @Test
    void stallIsOneWarningWithRequestAndStack() {
        try (ServerProcess server = ServerLaunch.serve("owners", "--owners", "2", "--stall-limit", "300ms")
                        .ready();
                Http1Socket burner = new Http1Socket(server.port)) {
            burner.request("GET", "/spin/stall?secret=1", "x-request-id: 11111111-2222-4333-8444-555555555555");
            server.awaitLog("has been held for");
            server.awaitLog("in 'spin'");
            assertEquals("done", server.get("/release/stall").text());
            assertEquals("released", burner.answer().text());
            assertEquals("pong", server.get("/ping").text());
            assertEquals(0, server.stop(), server::tail);
            List<String> told = server.linesWith("[warning]", "has been held for");
            assertEquals(1, told.size(), server::tail);
            assertEquals(1, server.linesWith(" by GET /spin/stall [").size(), server::tail);
            assertEquals(0, server.linesWith("secret").size(), server::tail);
        }
    }
}
