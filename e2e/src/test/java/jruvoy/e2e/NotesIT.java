// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The notes of examples/notes on both databases, served by fibers and by threads: the app, its pool under load, and
 * what leavers leave behind.
 */
@ParameterizedClass
@EnumSource(NotesIT.Kind.class)
class NotesIT {
    /** Which database, and what runs a request. */
    enum Kind {
        SQLITE("fibers"),
        SQLITE_BY_THREADS("threads"),
        POSTGRESQL("fibers"),
        POSTGRESQL_BY_THREADS("threads");

        final String mode;

        Kind(String mode) {
            this.mode = mode;
        }

        boolean isPostgres() {
            return this == POSTGRESQL || this == POSTGRESQL_BY_THREADS;
        }

        boolean hasThreads() {
            return mode.equals("threads");
        }
    }

    private static final Path GEMS = Project.ROOT.resolve("build/notes/gems");
    private static final int CROWD = 200;
    private static final int POOL = 5;
    /** How many one test lets wait for a single place. */
    private static final int WAITING = 20;
    /** More than those, and more than connections. */
    private static final int THREADS = 32;

    private static PostgresServer postgres;
    private static ServerProcess server;

    @Parameter
    private Kind kind;

    @BeforeParameterizedClassInvocation
    static void start(Kind kind) {
        assumeTrue(Files.isDirectory(GEMS), "no gems for the notes; scripts/setup --notes brings them");
        ServerLaunch launch =
                ServerLaunch.serve("notes", "--gem-path=" + GEMS, "--mode=" + kind.mode, "--threads=" + THREADS);
        String url = "sqlite:" + launch.folder.resolve("notes.db");
        if (kind.isPostgres()) {
            assumeTrue(PostgresServer.isInstalled(), "no PostgreSQL on this machine");
            postgres = new PostgresServer();
            url = postgres.url;
        }
        server = launch.environment("DATABASE_URL", url)
                .environment("DATABASE_POOL", Integer.toString(POOL))
                .ready();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        try {
            if (server != null) {
                assertEquals(0, server.stop(), server::tail);
            }
        } finally {
            closeAll();
        }
    }

    @AfterEach
    void nothingIsLeft() {
        assertTrue(server.isAlive(), server::tail);
        JsonObject state = Eventually.value(
                "nobody waits and no transaction is open",
                this::state,
                seen -> figure(seen, "one", "waiting") == 0
                        && figure(seen, "five", "waiting") == 0
                        && seen.get("door").getAsInt() == 0
                        && figure(seen, "sessions", "busy") == 0);
        assertTrue(figure(state, "one", "size") <= 1, state::toString);
        assertTrue(figure(state, "five", "size") <= POOL, state::toString);
        assertEquals(
                figure(state, "one", "size") + figure(state, "five", "size"),
                figure(state, "sessions", "all"),
                state::toString);
    }

    @Test
    void notesAreWrittenReadAndDeleted() {
        HttpAnswer made = json("{\"text\": \" Milk & <b>bread</b> \\u2713 \"}");
        assertEquals(201, made.status(), server::tail);
        JsonObject note = JsonParser.parseString(made.text()).getAsJsonObject();
        assertEquals("Milk & <b>bread</b> \u2713", note.get("text").getAsString());
        String path = "/api/notes/" + note.get("id").getAsLong();
        assertEquals(note, JsonParser.parseString(server.get(path).text()));
        assertTrue(JsonParser.parseString(server.get("/api/notes").text())
                .getAsJsonArray()
                .contains(note));
        String page = server.get("/").text();
        assertTrue(page.contains("<p>Milk &amp; &lt;b&gt;bread&lt;/b&gt; \u2713</p>"), page);
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(204, socket.request("DELETE", path).answer().status());
        }
        assertEquals(404, server.get(path).status());
        assertFalse(server.get("/").text().contains("bread"));
    }

    @Test
    void formOfOurPageWritesAndForeignOnesDoNot() {
        HttpAnswer answer = form("text=From+the+form%0D%0Asecond+line", "origin: http://localhost");
        assertEquals(303, answer.status(), server::tail);
        assertEquals("/", answer.value("location"));
        assertTrue(server.get("/").text().contains("<p>From the form\nsecond line</p>"));
        assertEquals(403, form("text=Foreign", "origin: http://elsewhere.test").status());
        assertFalse(server.get("/").text().contains("Foreign"));
    }

    @Test
    void whatIsNoNoteIsRefused() {
        assertEquals(422, form("text=++").status());
        assertEquals(422, form("other=1").status());
        assertEquals(422, form("text[]=1").status());
        assertEquals(422, form("text=" + "x".repeat(2_001)).status());
        assertEquals(422, json("{\"text\": 5}").status());
        assertEquals(400, json("{\"text\": ").status());
        assertEquals(
                "{\"error\":\"Not Found\"}", server.get("/api/notes/999999999").text());
        assertEquals(404, server.get("/notes/1").status());
    }

    @Test
    void browserWritesAndDeletesNotes() {
        assumeTrue(Browser.isInstalled(), "no chromium and chromedriver on this machine");
        try (Browser browser = new Browser()) {
            browser.open("http://127.0.0.1:" + server.port + "/");
            browser.type("#text", "By hand <i>& sent</i>");
            browser.click("#save");
            Eventually.holds("the note", () -> shows(browser, "By hand <i>& sent</i>", true));
            browser.click("#notes article button");
            Eventually.holds("no note", () -> shows(browser, "By hand", false));
        }
    }

    /** Whether the page is there and shows a text, or does not show it. */
    private static boolean shows(Browser browser, String text, boolean wanted) {
        try {
            return browser.text("#notes").contains(text) == wanted;
        } catch (AssertionError loading) {
            return false; // Between two pages there is no such element.
        }
    }

    @Test
    void poolServesACrowd() {
        for (int round = 0; round < 3; round++) {
            List<String> answers =
                    Swarm.all(CROWD, index -> server.get("/hold/crowd").text());
            assertEquals(CROWD, answers.stream().filter("held"::equals).count(), server::tail);
        }
        assertEquals(POOL, server.count("crowd-most"));
    }

    @Test
    void doorKeepsTheCrowdOutAndItsOrder() {
        List<Integer> statuses =
                Swarm.all(CROWD, index -> server.get("/queue/door?" + index).status());
        assertEquals(CROWD, statuses.stream().filter(status -> status == 200).count(), server::tail);
        assertEquals(CROWD, server.journal("came").size());
        List<String> came = server.journal("came");
        List<String> inside = server.journal("inside");
        // Those who are inside at the same time may begin in any order, and threads may come in any.
        List<Integer> overtaken = IntStream.range(0, kind.hasThreads() ? 0 : CROWD)
                .filter(place -> Math.abs(inside.indexOf(came.get(place)) - place) >= POOL)
                .boxed()
                .toList();
        assertEquals(List.of(), overtaken);
        assertEquals(POOL, server.count("door-most"));
    }

    @Test
    void doorLetsThoseInFirstWhoCameFirst() {
        List<Http1Socket> sockets = new ArrayList<>();
        for (int place = 0; place <= WAITING; place++) {
            int waiting = place;
            sockets.add(new Http1Socket(server.port).get("/turn?" + place));
            Eventually.holds("one more waits", () -> state().get("turn").getAsInt() == waiting);
            Eventually.holds("one is inside", () -> server.journal("turns").equals(List.of("0")));
        }
        server.get("/open/turn");
        sockets.forEach(socket -> assertEquals(200, socket.answer().status()));
        sockets.forEach(Http1Socket::close);
        List<String> order =
                IntStream.rangeClosed(0, WAITING).mapToObj(Integer::toString).toList();
        assertEquals(order, server.journal("turns"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3600", "query"})
    void leaverInATransactionLeavesACleanConnection(String wait) {
        for (int round = 0; round < 5; round++) {
            String key = "left-" + wait + "-" + round;
            try (Http1Socket socket = new Http1Socket(server.port)) {
                socket.get("/transaction/" + key + "?pool=one&sleep=" + wait);
                Eventually.holds("the row", () -> server.journal(key).contains("inserted"));
                assertEquals("0", rows(key, "five"), "seen before the commit");
                socket.abort();
            }
            Eventually.holds("the end", () -> server.journal(key).contains("ensure"));
            assertEquals("0", rows(key, "one"), "the same connection sees the row");
            assertEquals(
                    "committed",
                    server.get("/transaction/" + key + "?pool=one&sleep=0").text());
            assertEquals("1", rows(key, "one"));
        }
    }

    @Test
    void leaverWhoWaitsForTheConnectionKeepsNobodyFromIt() {
        try (Http1Socket first = new Http1Socket(server.port)) {
            first.get("/transaction/first?pool=one&sleep=3600");
            Eventually.holds("the row", () -> server.journal("first").contains("inserted"));
            List<Http1Socket> waiting = Swarm.all(WAITING, index -> {
                Http1Socket socket = new Http1Socket(server.port);
                return socket.get("/transaction/waiting?pool=one&sleep=0");
            });
            Eventually.holds("all wait", () -> figure(state(), "one", "waiting") == WAITING);
            waiting.subList(0, WAITING - 1).forEach(Http1Socket::abort);
            Eventually.holds("one waits", () -> figure(state(), "one", "waiting") == 1);
            first.abort();
            assertEquals("committed", waiting.getLast().answer().text());
            waiting.getLast().close();
        }
        assertEquals("1", rows("waiting", "one"));
        assertEquals("0", rows("first", "one"));
    }

    @Test
    void crowdThatPartlyLeavesLosesNothing() {
        List<Boolean> answered = Swarm.all(CROWD, index -> {
            Random random = new Random(index);
            try (Http1Socket socket = new Http1Socket(server.port)) {
                socket.get("/transaction/storm-" + index + "?pool=five&sleep=0.002");
                if (random.nextBoolean()) {
                    Eventually.pause(random.nextInt(300));
                    socket.abort();
                    return false;
                }
                return socket.answer().text().equals("committed");
            }
        });
        nothingIsLeft();
        List<Integer> lost = IntStream.range(0, CROWD)
                .filter(index ->
                        answered.get(index) && !rows("storm-" + index, "one").equals("1"))
                .boxed()
                .toList();
        assertEquals(List.of(), lost);
        long stayed = IntStream.range(0, CROWD)
                .filter(index -> !new Random(index).nextBoolean())
                .count();
        assertEquals(stayed, answered.stream().filter(answer -> answer).count());
    }

    private JsonObject state() {
        return JsonParser.parseString(server.get("/state").text()).getAsJsonObject();
    }

    private static int figure(JsonObject state, String part, String name) {
        return state.getAsJsonObject(part).get(name).getAsInt();
    }

    private String rows(String key, String pool) {
        return server.get("/rows/" + key + "?pool=" + pool).text();
    }

    private HttpAnswer json(String text) {
        return post("/api/notes", text, "content-type: application/json");
    }

    private HttpAnswer form(String text, String... fields) {
        String[] all = Stream.concat(Stream.of("content-type: application/x-www-form-urlencoded"), Stream.of(fields))
                .toArray(String[]::new);
        return post("/notes", text, all);
    }

    private HttpAnswer post(String path, String text, String... fields) {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            return socket.post(path, text.getBytes(StandardCharsets.UTF_8), fields)
                    .answer();
        }
    }

    private static void closeAll() {
        if (server != null) {
            server.close();
            server = null;
        }
        if (postgres != null) {
            postgres.close();
            postgres = null;
        }
    }
}
