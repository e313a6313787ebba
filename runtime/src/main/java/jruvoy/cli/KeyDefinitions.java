// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The settings definition, packed into the jar from {@code config/settings.json}. */
final class KeyDefinitions {
    private static final String RESOURCE = "/jruvoy/settings/settings.json";

    private KeyDefinitions() {}

    /** Keys of the filter, in the order of the file. */
    static List<Key> filter() {
        return read("filter");
    }

    private static List<Key> read(String section) {
        try (InputStream in = KeyDefinitions.class.getResourceAsStream(RESOURCE);
                InputStreamReader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            List<Key> keys = new ArrayList<>();
            for (JsonElement element :
                    JsonParser.parseReader(reader).getAsJsonObject().getAsJsonArray(section)) {
                keys.add(key(element.getAsJsonObject()));
            }
            return List.copyOf(keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Key key(JsonObject entry) {
        return new Key(
                entry.get("name").getAsString(),
                entry.get("type").getAsString(),
                text(entry, "default"),
                text(entry, "min"),
                text(entry, "max"),
                entry.has("auto"),
                choices(entry),
                entry.get("text").getAsString());
    }

    private static List<String> choices(JsonObject entry) {
        return entry.has("choices")
                ? entry.getAsJsonArray("choices").asList().stream()
                        .map(JsonElement::getAsString)
                        .toList()
                : List.of();
    }

    private static String text(JsonObject entry, String name) {
        return entry.has(name) ? entry.get(name).getAsString() : null;
    }
}
