// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.util.List;
import java.util.Locale;

/** How a stream ended; each stream ends exactly once. Twin of {@code end_reason.h}, same order. Thread: any. */
public enum EndReason {
    /** Still running. */
    NONE,
    /** The whole response was handed to Envoy. */
    COMPLETED,
    /** The app failed after the head had left: the stream was reset. */
    APP_ERROR,
    /** The client disconnected or reset the stream. */
    CLIENT_GONE,
    /** Envoy ended it: a timeout, a protocol error, an overload action. */
    ENVOY_RESET,
    /** Its deadline passed. */
    DEADLINE,
    /** Admission said no; Ruby never saw it. */
    REFUSED,
    /** The drain deadline passed while it ran. */
    DRAINED,
    /** The owner died or stopped. */
    OWNER_LOST;

    private static final List<EndReason> ALL = List.of(values());

    /**
     * The reason that C calls by a number.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static EndReason of(int number) {
        if (number < 0 || number >= ALL.size()) {
            throw new IllegalArgumentException("no end reason " + number);
        }
        return ALL.get(number);
    }

    /** The name used in logs, messages and stats. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
