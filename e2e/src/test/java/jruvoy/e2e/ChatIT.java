// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The chat of examples/chat, in a real browser and with the JDK's WebSocket. */
class ChatIT {
    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerLaunch.serve(Project.ROOT.resolve("examples/chat/config.ru"), ServerLaunch.freePort())
                .ready();
    }

    @AfterAll
    static void stop() {
        try {
            assertEquals(0, server.stop(), server::tail);
        } finally {
            server.close();
        }
    }

    /** What a member hears, message by message. */
    private static final class Ear implements WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final StringBuilder part = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                heard.add(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        JsonObject next() {
            try {
                String text = heard.poll(Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertTrue(text != null, "nothing was heard");
                return JsonParser.parseString(text).getAsJsonObject();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", interrupt);
            }
        }

        JsonObject until(String event) {
            JsonObject message = next();
            while (!message.get("event").getAsString().equals(event)) {
                message = next();
            }
            return message;
        }
    }

    @Test
    void tabsOfABrowserTalk() {
        assumeTrue(Browser.isInstalled(), "no chromium and chromedriver on this machine");
        String url = "http://127.0.0.1:" + server.port + "/";
        try (Browser browser = new Browser()) {
            String first = browser.open(url);
            awaitText(browser, "#state", "connected");
            String second = browser.open(url);
            awaitText(browser, "#here", "2");
            browser.type("#text", "Hello <b>there</b> \u2713");
            browser.click("button");
            awaitText(browser, "#messages", "(you): Hello <b>there</b> \u2713");
            browser.switchTo(first);
            awaitText(browser, "#messages", ": Hello <b>there</b> \u2713");
            assertFalse(browser.text("#messages").contains("(you): Hello"));
            browser.type("#text", "And hello to you\n");
            browser.switchTo(second);
            awaitText(browser, "#messages", ": And hello to you");
            browser.closeTab();
            browser.switchTo(first);
            awaitText(browser, "#messages", " left");
            awaitText(browser, "#here", "1");
        }
    }

    @Test
    void membersHearEachOtherAndWhoLeaves() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            Ear listening = new Ear();
            Ear talking = new Ear();
            WebSocket listener = join(client, listening);
            String listenersName = listening.until("joined").get("name").getAsString();
            WebSocket talker = join(client, talking);
            String talkersName = listening.until("joined").get("name").getAsString();
            assertFalse(talkersName.equals(listenersName));
            for (int number = 0; number < 50; number++) {
                talker.sendText("message " + number, true).join();
            }
            for (int number = 0; number < 50; number++) {
                JsonObject said = listening.until("said");
                assertEquals("message " + number, said.get("text").getAsString());
                assertEquals(talkersName, said.get("name").getAsString());
                assertFalse(said.get("you").getAsBoolean());
                assertTrue(talking.until("said").get("you").getAsBoolean());
            }
            talker.abort();
            assertEquals(talkersName, listening.until("left").get("name").getAsString());
            listener.sendClose(WebSocket.NORMAL_CLOSURE, "bye").join();
            Eventually.holds("the goodbye's answer", listener::isInputClosed);
        }
    }

    @Test
    void strangersStayOutside() {
        try (Http1Socket socket = new Http1Socket(server.port)) {
            assertEquals(426, socket.get("/chat").answer().status());
            socket.request(
                    "GET",
                    "/chat",
                    "upgrade: websocket",
                    "connection: upgrade",
                    "origin: http://elsewhere.test",
                    "sec-websocket-version: 13",
                    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==");
            assertEquals(403, socket.answer().status());
        }
    }

    private static WebSocket join(HttpClient client, Ear ear) {
        return client.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + server.port + "/chat"), ear)
                .join();
    }

    private static void awaitText(Browser browser, String selector, String text) {
        Eventually.value(text + " in " + selector, () -> browser.text(selector), seen -> seen.contains(text));
    }
}
