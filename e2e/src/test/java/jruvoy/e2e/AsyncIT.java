// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Async's own classes and clients in handlers, many at a time. */
class AsyncIT {
    private static final Path GEMS = Project.ROOT.resolve("build/tools/websocket-gems");
    private static final int CLIENTS = 8;
    private static final int ROUNDS = 10;

    /** What each way adds to the key that it was given. */
    private static final Map<String, String> ADDED =
            Map.of("sync", "2", "barrier", "01234", "semaphore", "2", "queue", "012", "limited", "01234");

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerLaunch.serve("async", "--gem-path=" + GEMS).ready();
    }

    @AfterAll
    static void stop() {
        try {
            assertEquals(0, server.stop(), server::tail);
        } finally {
            server.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "async",
                "sync",
                "barrier",
                "semaphore",
                "queue",
                "limited",
                "condition",
                "variable",
                "timeout",
                "stop"
            })
    void eachClassWorksUnderLoad(String way) {
        underLoad("/way/", "?" + way, key -> key + ADDED.getOrDefault(way, ""));
    }

    @Test
    void allOfThemAtOnce() {
        List<String> ways = List.of(
                "async", "sync", "barrier", "semaphore", "queue", "limited", "condition", "variable", "timeout");
        Swarm.all(CLIENTS, client -> {
            for (int round = 0; round < ROUNDS; round++) {
                String way = ways.get((client + round) % ways.size());
                String key = "k" + client + "-" + round + "-";
                assertEquals(
                        key + ADDED.getOrDefault(way, ""),
                        server.get("/way/" + key + "?" + way).text(),
                        way);
            }
            return true;
        });
    }

    @Test
    void errorOfATaskIsTheHandlers() {
        assertEquals(500, server.get("/way/secret?error").status());
    }

    @Test
    void requestsWakeEachOther() {
        List<String> answers = Swarm.all(CLIENTS, client -> {
            if (client == 0) {
                Eventually.holds("all wait", () -> server.journal("waiter").size() == CLIENTS - 1);
                return server.get("/signal/woken").text();
            }
            return server.get("/await/waiter").text();
        });
        assertEquals("sent", answers.get(0));
        answers.subList(1, CLIENTS).forEach(answer -> assertEquals("woken", answer));
    }

    @Test
    void netHttpCallsThisServer() {
        underLoad("/net_http/", "?" + server.port, key -> "slow " + key);
    }

    @Test
    void asyncHttpCallsThisServerByKeptConnections() {
        assumeClient();
        underLoad("/client/", "?" + server.port, key -> "slow " + key);
    }

    @Test
    void asyncHttpCallsFanOut() {
        assumeClient();
        underLoad(
                "/fan_out/",
                "?" + server.port,
                key -> "slow %s0,slow %s1,slow %s2,slow %s3,slow %s4".replace("%s", key));
    }

    private static void assumeClient() {
        assumeTrue(Files.isDirectory(GEMS), "no async-http; scripts/setup --tests brings it");
    }

    private void underLoad(String path, String query, UnaryOperator<String> expected) {
        Swarm.all(CLIENTS, client -> {
            for (int round = 0; round < ROUNDS; round++) {
                String key = "k" + client + "-" + round + "-";
                assertEquals(expected.apply(key), server.get(path + key + query).text(), server::tail);
            }
            return true;
        });
    }
}
