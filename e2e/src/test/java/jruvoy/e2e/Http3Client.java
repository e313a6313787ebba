// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Future;

/**
 * A real HTTP/3 client: aioquic, in a process of its own, because Java has none. All requests go out on one connection at
 * once. Thread: one at a time.
 */
final class Http3Client {
    private static final Path PYTHON = Project.ROOT.resolve("build/tools/python/bin/python");
    private static final Path SCRIPT = Project.ROOT.resolve("e2e/src/test/python/http3_client.py");

    private final int port;
    private final Path trusted;
    private final List<Request> requests = new ArrayList<>();

    private record Request(
            String method, String path, List<List<String>> headers, String body, List<List<String>> trailers) {}

    private record Answer(
            int status, List<List<String>> headers, String body, List<List<String>> trailers, boolean complete) {
        HttpAnswer parsed() {
            return new HttpAnswer(
                    status, fields(headers), Base64.getDecoder().decode(body), fields(trailers), complete);
        }
    }

    /** A client of 127.0.0.1 that trusts one certificate, which is for localhost. */
    Http3Client(int port, Path trusted) {
        this.port = port;
        this.trusted = trusted;
    }

    /** Adds a request without body; fields are pairs of name and value. */
    Http3Client get(String path, String... fields) {
        return request("GET", path, new byte[0], pairs(fields), List.of());
    }

    /** Adds a POST; trailers are pairs of name and value. */
    Http3Client post(String path, byte[] body, String... trailers) {
        return request("POST", path, body, List.of(), pairs(trailers));
    }

    /** Sends what was added and waits for all answers, which come in the same order. */
    List<HttpAnswer> answers() {
        try {
            Process client = new ProcessBuilder(
                            PYTHON.toString(),
                            SCRIPT.toString(),
                            Integer.toString(port),
                            "localhost",
                            trusted.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Future<byte[]> output = Swarm.start(client.getInputStream()::readAllBytes);
            try (var input = client.getOutputStream()) {
                input.write(new Gson().toJson(requests).getBytes(StandardCharsets.UTF_8));
            }
            String text = new String(Swarm.result(output), StandardCharsets.UTF_8);
            Answer[] answers = new Gson().fromJson(text, Answer[].class);
            if (answers == null) {
                throw new AssertionError("the HTTP/3 client ended with " + client.waitFor());
            }
            return List.of(answers).stream().map(Answer::parsed).toList();
        } catch (IOException | InterruptedException exception) {
            throw new AssertionError("the HTTP/3 client failed", exception);
        }
    }

    private Http3Client request(
            String method, String path, byte[] body, List<List<String>> headers, List<List<String>> trailers) {
        requests.add(new Request(method, path, headers, Base64.getEncoder().encodeToString(body), trailers));
        return this;
    }

    private static List<List<String>> pairs(String... fields) {
        List<List<String>> pairs = new ArrayList<>();
        for (int index = 0; index < fields.length; index += 2) {
            pairs.add(List.of(fields[index], fields[index + 1]));
        }
        return pairs;
    }

    private static List<HttpField> fields(List<List<String>> pairs) {
        return pairs.stream()
                .map(pair -> new HttpField(pair.get(0), pair.get(1)))
                .toList();
    }
}
