// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jruvoy.owner.App;
import jruvoy.settings.Settings;

/**
 * Java's side of the start: the module calls {@link #run()} when the JVM is up, and destroys the JVM when it returns.
 * Twin of {@code bootstrap.c}.
 *
 * <p>Thread: the VM thread, created by the module.
 */
public final class Bootstrap {
    /** Shorter than the module's own patience, after which it ends the process. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(8);

    private Bootstrap() {}

    /** Starts every app that the module names, until the process shuts down; then stops them. */
    public static void run() {
        Natives natives;
        try {
            natives = Natives.load();
            Layout.check(natives);
        } catch (RuntimeException | Error failure) {
            System.err.println("jruvoy: the runtime cannot use the module: " + failure.getMessage());
            System.err.flush();
            Runtime.getRuntime().halt(1);
            return;
        }
        Log.install(natives);
        List<App> apps = new ArrayList<>();
        for (long app = natives.jruvoy_native_next_app(); app != 0; app = natives.jruvoy_native_next_app()) {
            apps.add(App.start(natives, app, settings(natives, app)));
        }
        stop(apps);
    }

    private static void stop(List<App> apps) {
        apps.forEach(App::stop);
        try {
            for (App app : apps) {
                if (!app.join(STOP_LIMIT)) {
                    Log.error("an app did not stop in " + STOP_LIMIT.toSeconds() + " s and is left behind");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Settings settings(Natives natives, long app) {
        return Settings.parse(string(natives.jruvoy_native_app_settings(app)));
    }

    @SuppressWarnings("restricted") // The module owns the text and ends it with a NUL.
    private static String string(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }
}
