// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import jnr.ffi.LibraryLoader;

/**
 * The functions of the module that Java calls, bound by jnr-ffi; twin of {@code natives.h}, which holds the contract of
 * each. Handles are addresses.
 *
 * <p>Thread: as stated at each function in {@code natives.h}; never an Envoy worker.
 */
public interface Natives {
    /**
     * The functions of the module that this process has loaded, whose path the module left in the system property
     * {@code jruvoy.module}.
     *
     * @throws IllegalStateException when the property is not set
     * @throws UnsatisfiedLinkError when the module cannot be bound
     */
    static Natives load() {
        String module = System.getProperty("jruvoy.module");
        if (module == null) {
            throw new IllegalStateException("the system property jruvoy.module names no module");
        }
        return LibraryLoader.create(Natives.class).failImmediately().load(module);
    }

    long jruvoy_native_next_app();

    long jruvoy_native_app_settings(long app);

    void jruvoy_native_app_ready(long app);

    void jruvoy_native_app_failed(long app, String message);

    void jruvoy_native_owner_lost(long app, int index);

    void jruvoy_native_app_stopped(long app);

    long jruvoy_native_app_inbox(long app, int index);

    int jruvoy_native_poll(long inbox, long events, int capacity);

    int jruvoy_native_sleep(long inbox);

    void jruvoy_native_awake(long inbox);

    int jruvoy_native_wake_descriptor(long inbox);

    void jruvoy_native_stop(long inbox);

    int jruvoy_native_budget_spent();

    void jruvoy_native_send(long messages, int length);

    long jruvoy_native_inflight_body_bytes();

    int jruvoy_native_inflight_requests(long app);

    void jruvoy_native_log(int level, String line);

    int jruvoy_native_log_enabled(int level);

    long jruvoy_native_layout(int index);
}
