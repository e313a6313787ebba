// SPDX-License-Identifier: Apache-2.0
package jruvoy.settings;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Effective settings of one app: defaults filled in, paths absolute, quantities as numbers. {@code
 * config/settings.json} says what each means; C has checked them before Java sees them.
 *
 * @param rackup the config.ru
 * @param appRoot the app's Dir.pwd
 * @param gemfile the Gemfile that was asked for, null to take the one in appRoot if there is one
 * @param gemPath folders to search for gems before Jruvoy's own, null for none
 * @param env environment on top of the process's, null for none
 * @param maxRequests requests in flight at once
 * @param owners threads that run the app's Ruby, 1 or more
 * @param stallLimit how long an owner may be held before the log tells; zero for as long as it likes
 * @param mode what runs a request: {@code fibers} or {@code threads}
 * @param threads most threads of a pool
 * @param windowBytes body bytes per stream and direction on the way
 * @param maxBufferedBytes body bytes of the process on the way
 * @param drainTimeoutMs how long requests in flight may go on at the end
 */
public record Settings(
        String rackup,
        String appRoot,
        String gemfile,
        List<String> gemPath,
        Map<String, String> env,
        int maxRequests,
        int owners,
        Duration stallLimit,
        String mode,
        int threads,
        int windowBytes,
        long maxBufferedBytes,
        long drainTimeoutMs) {
    /** Empty where nothing was given, so that nobody has to ask. */
    public Settings {
        gemPath = gemPath == null ? List.of() : List.copyOf(gemPath);
        env = env == null ? Map.of() : Map.copyOf(env);
    }

    /** Reads what C says the settings are in effect. */
    public static Settings parse(String json) {
        JsonObject all = JsonParser.parseString(json).getAsJsonObject();
        return new Settings(
                text(all, "rackup"),
                text(all, "app_root"),
                text(all, "gemfile"),
                strings(all.get("gem_path")),
                map(all.get("env")),
                all.get("max_requests").getAsInt(),
                all.get("owners").getAsInt(),
                Duration.ofMillis(all.get("stall_limit_ms").getAsLong()),
                text(all, "mode"),
                all.get("threads").getAsInt(),
                all.get("window_bytes").getAsInt(),
                all.get("max_buffered_bytes").getAsLong(),
                all.get("drain_timeout_ms").getAsLong());
    }

    private static String text(JsonObject all, String key) {
        return all.has(key) ? all.get(key).getAsString() : null;
    }

    private static List<String> strings(JsonElement list) {
        return list == null
                ? null
                : list.getAsJsonArray().asList().stream()
                        .map(JsonElement::getAsString)
                        .toList();
    }

    private static Map<String, String> map(JsonElement map) {
        if (map == null) {
            return null;
        }
        Map<String, String> read = new LinkedHashMap<>();
        map.getAsJsonObject()
                .entrySet()
                .forEach(each -> read.put(each.getKey(), each.getValue().getAsString()));
        return read;
    }
}
