// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The one way to a log: Envoy's where the module is loaded, standard error elsewhere. Twin of {@code log.c}; slf4j ends
 * here too, through {@link LogProvider}.
 *
 * <p>Thread: any.
 */
public final class Log {
    /** Takes a line of a level. Thread: any. */
    interface Sink {
        /** Whether lines of this level are wanted. */
        boolean takes(int level);

        /** Writes one line, or a block of lines that must stay together. */
        void write(int level, String text);
    }

    /** Envoy's levels. */
    public static final int TRACE = 0;
    /** See {@link #TRACE}. */
    public static final int DEBUG = 1;
    /** See {@link #TRACE}. */
    public static final int INFO = 2;
    /** See {@link #TRACE}. */
    public static final int WARN = 3;
    /** See {@link #TRACE}. */
    public static final int ERROR = 4;

    private static final AtomicReference<Sink> SINK = new AtomicReference<>(new StandardError(System.err));

    private Log() {}

    /** From now on everything goes to Envoy's log. */
    public static void install(Natives natives) {
        SINK.set(new Sink() {
            @Override
            public boolean takes(int level) {
                return natives.jruvoy_native_log_enabled(level) != 0;
            }

            @Override
            public void write(int level, String text) {
                natives.jruvoy_native_log(level, text);
            }
        });
    }

    /** Whether lines of this level are wanted. */
    public static boolean isEnabled(int level) {
        return SINK.get().takes(level);
    }

    /** Writes a line, or several that must stay together, unless the level is not wanted. */
    public static void write(int level, String text) {
        Sink sink = SINK.get();
        if (sink.takes(level)) {
            sink.write(level, text);
        }
    }

    /** Something is wrong that a person must look at. */
    public static void error(String text) {
        write(ERROR, text);
    }

    /** Something is odd, but works. */
    public static void warn(String text) {
        write(WARN, text);
    }

    /** Something worth a line in every run. */
    public static void info(String text) {
        write(INFO, text);
    }

    /** Without the module: warnings and worse, as a person wants to see them. */
    private record StandardError(PrintStream out) implements Sink {
        @Override
        public boolean takes(int level) {
            return level >= WARN;
        }

        @Override
        public void write(int level, String text) {
            out.println(text);
        }
    }
}
