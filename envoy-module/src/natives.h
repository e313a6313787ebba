/* SPDX-License-Identifier: Apache-2.0 */
/* The one list of functions that Java binds (jnr-ffi); the only symbols exported beside Envoy's
 * hooks.
 *
 * Handles are addresses passed as int64_t. Twin: Natives.java. None of these calls into Java, none
 * may be called from an Envoy worker.
 */
#ifndef JRV_NATIVES_H
#define JRV_NATIVES_H

#include <stdint.h>

/* The compiler flag hides every symbol; these must be seen by Java. */
#pragma GCC visibility push(default)

/* ---- VM thread ---- */

/* Waits for the next app that must be loaded and returns its handle. Returns 0 once the process
 * shuts down: by then admission is closed and the drain has ended (no live stream, or the drain
 * deadline passed). */
int64_t jruvoy_native_next_app(void);

/* Effective settings of an app, defaults filled in: NUL-terminated UTF-8 JSON, owned by C, valid
 * until jruvoy_native_app_stopped(). Any thread. */
int64_t jruvoy_native_app_settings(int64_t app);

/* The app answers from now on: opens admission and, for the first apps, lets Envoy's listeners
 * open. Any thread. */
void jruvoy_native_app_ready(int64_t app);

/* The app could not be loaded. At first boot this logs `message` (one line, UTF-8) as an error,
 * flushes and ends the process with status 1; later it logs, counts, and the app refuses requests.
 * Any thread. */
void jruvoy_native_app_failed(int64_t app, const char *message);

/* Owner `index` of an app that is ready has ended without having been asked to. It gets no new
 * stream any more, but must go on to answer those that are on their way to it, until STOP. When it
 * was the last, the app fails. Any thread. */
void jruvoy_native_owner_lost(int64_t app, int32_t index);

/* The app's owners have ended and Java will not touch the app again. Any thread. */
void jruvoy_native_app_stopped(int64_t app);

/* ---- Owner thread ---- */

/* The inbox of owner `index` of an app (0 <= index < owners). Any thread. */
int64_t jruvoy_native_app_inbox(int64_t app, int32_t index);

/* Takes what has arrived: writes at most `capacity` struct jrv_event to `events` and returns how
 * many. Frees the bytes that the previous call handed out. Never waits. Owner only. */
int32_t jruvoy_native_poll(int64_t inbox, int64_t events, int32_t capacity);

/* Announces sleep. Returns 1 when nothing has arrived: from now on a producer writes the wake
 * descriptor. Returns 0 when there is something to poll. Owner only. */
int32_t jruvoy_native_sleep(int64_t inbox);

/* Ends the sleep and clears the wake descriptor. Owner only. */
void jruvoy_native_awake(int64_t inbox);

/* The eventfd that becomes readable when a sleeping owner is wanted. Owned by C. Any thread. */
int32_t jruvoy_native_wake_descriptor(int64_t inbox);

/* Posts STOP to an owner, once. Any thread, before jruvoy_native_app_stopped(). */
void jruvoy_native_stop(int64_t inbox);

/* ---- Any thread that holds the streams concerned ---- */

/* Takes a run of `length` bytes of struct jrv_message at `messages`, copies what it needs, and
 * commits each stream whose outbox was empty. The caller may reuse the memory at once (bytes passed
 * by reference excepted). */
void jruvoy_native_send(int64_t messages, int32_t length);

/* Request and response body bytes that are now between Envoy and the apps, all of the process. Any
 * thread. */
int64_t jruvoy_native_inflight_body_bytes(void);

/* 1 when the process holds as many body bytes as it may: no stream should have more than
 * JRV_CREDIT_CHUNK of its response on the way. Any thread. */
int32_t jruvoy_native_budget_spent(void);

/* Streams that are admitted and not over, of one app. Any thread. */
int32_t jruvoy_native_inflight_requests(int64_t app);

/* ---- Log and checks; any thread ---- */

/* Writes one line to Envoy's log. level: 0 trace, 1 debug, 2 info, 3 warn, 4 error, 5 critical. */
void jruvoy_native_log(int32_t level, const char *line);

/* Whether Envoy's log takes this level. */
int32_t jruvoy_native_log_enabled(int32_t level);

/* Value number `index` of the layout (see layout.c for the order), or -1 past the end. */
int64_t jruvoy_native_layout(int32_t index);

#pragma GCC visibility pop

#endif
