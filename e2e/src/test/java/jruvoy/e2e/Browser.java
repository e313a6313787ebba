// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A headless Chromium with several tabs, driven by the WebDriver protocol. Thread: one at a time. */
final class Browser implements AutoCloseable {
    private static final String DRIVER = "chromedriver";
    private static final List<String> OPTIONS = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--no-proxy-server",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path folder;
    private final Process driver;
    private final String address;
    private final String session;

    /** Whether this machine has what is needed: Debian's packages chromium and chromium-driver. */
    static boolean isInstalled() {
        return Stream.of(DRIVER, "chromium")
                .allMatch(name -> Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, name))));
    }

    /** Starts the browser. */
    Browser() {
        int port = ServerLaunch.freePort();
        address = "http://127.0.0.1:" + port;
        try {
            folder = Files.createTempDirectory("jruvoy-browser-");
            driver = new ProcessBuilder(DRIVER, "--port=" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("driver.log").toFile())
                    .start();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        try {
            Eventually.holds("the browser's driver", this::isReady);
            session = "/session/"
                    + send("POST", "/session", capabilities()).get("sessionId").getAsString();
        } catch (RuntimeException | AssertionError failure) {
            end();
            throw failure;
        }
    }

    /** Opens a page in a new tab and returns the tab; it is the current one now. */
    String open(String url) {
        JsonObject kind = new JsonObject();
        kind.addProperty("type", "tab");
        String tab = send("POST", session + "/window/new", kind).get("handle").getAsString();
        switchTo(tab);
        JsonObject target = new JsonObject();
        target.addProperty("url", url);
        post(session + "/url", target);
        return tab;
    }

    /** Makes a tab the current one. */
    void switchTo(String tab) {
        JsonObject handle = new JsonObject();
        handle.addProperty("handle", tab);
        post(session + "/window", handle);
    }

    /** Closes the current tab. */
    void closeTab() {
        ask("DELETE", session + "/window", "");
    }

    /** Text of the first element that a CSS selector finds in the current tab. */
    String text(String selector) {
        return ask("GET", element(selector) + "/text", "").getAsString();
    }

    /** Types into an element of the current tab. */
    void type(String selector, String text) {
        JsonObject keys = new JsonObject();
        keys.addProperty("text", text);
        post(element(selector) + "/value", keys);
    }

    /** Clicks on an element of the current tab. */
    void click(String selector) {
        post(element(selector) + "/click", new JsonObject());
    }

    @Override
    public void close() {
        try {
            ask("DELETE", session, "");
        } finally {
            end();
        }
    }

    private void end() {
        List<ProcessHandle> left = new ArrayList<>(driver.descendants().toList());
        left.add(driver.toHandle());
        left.forEach(ProcessHandle::destroyForcibly);
        left.forEach(process -> process.onExit().join());
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private boolean isReady() {
        try {
            return send("GET", "/status", null).get("ready").getAsBoolean();
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    private JsonObject capabilities() {
        StringBuilder options = new StringBuilder();
        OPTIONS.forEach(option -> options.append('"').append(option).append("\","));
        return JsonParser.parseString("""
                {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": [%s"--user-data-dir=%s"]}}}}
                """.formatted(options, folder.resolve("profile")))
                .getAsJsonObject();
    }

    private String element(String selector) {
        JsonObject query = new JsonObject();
        query.addProperty("using", "css selector");
        query.addProperty("value", selector);
        JsonObject found = send("POST", session + "/element", query);
        return session + "/element/" + found.asMap().values().iterator().next().getAsString();
    }

    private void post(String path, JsonObject body) {
        ask("POST", path, body.toString());
    }

    private JsonObject send(String method, String path, JsonObject body) {
        return ask(method, path, body == null ? "" : body.toString()).getAsJsonObject();
    }

    private JsonElement ask(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Eventually.LIMIT)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new AssertionError("the browser: " + answer.body());
            }
            return JsonParser.parseString(answer.body()).getAsJsonObject().get("value");
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupt);
        }
    }
}
