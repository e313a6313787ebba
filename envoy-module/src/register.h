/* SPDX-License-Identifier: Apache-2.0 */
/* The register of apps and filter configs: who uses which app, what Java still has to load or stop.
 *
 * One lock for all of it. Nothing here waits for Java except the functions that say so; no callback
 * into Envoy is made under the lock.
 */
#ifndef JRV_REGISTER_H
#define JRV_REGISTER_H

#include <time.h>

#include "app.h"
#include "filter_config.h"

/* ---- Main ---- */

/* Gives `config` an app: the one with the same settings, else `candidate` (which is freed if it is
 * not needed), and has Java load it. With `update` the newest ready app of a filter config with the
 * same name answers until then. False with the reason when Java has ended; `candidate` is freed
 * then, too. */
bool jrv_register_join(struct jrv_filter_config *config, struct jrv_app *candidate, bool update,
                       struct jrv_fault *fault);

/* Waits until the config's app is ready or failed; true when ready. */
bool jrv_register_await(struct jrv_filter_config *config);

/* Whether no app is still loading. */
bool jrv_register_all_loaded(void);

/* ---- Any thread ---- */

/* Takes `config` out; its apps are stopped or freed if nobody needs them. Returns how many configs
 * are left. */
size_t jrv_register_leave(struct jrv_filter_config *config);

/* From now on the streams of every app are told apart: those that were there and those that come.
 */
void jrv_register_start_drain(void);

/* Refuses new streams of every app for good. */
void jrv_register_close_gates(void);

/* Waits until no stream is in flight (with `before_drain`: none that was there when the drain
 * began). False when `deadline` (CLOCK_MONOTONIC) came first. */
bool jrv_register_wait_quiet(bool before_drain, const struct timespec *deadline);

/* Streams in flight, of all apps. */
size_t jrv_register_live(void);

/* The longest drain_timeout of all apps. */
uint64_t jrv_register_drain_timeout_ms(void);

/* Lets jruvoy_native_next_app() return 0; refuses new configs. Closes the gates. */
void jrv_register_end(void);

/* Whether jrv_register_end() has been called. */
bool jrv_register_ended(void);

/* Java is gone unexpectedly: no app answers any more, and none can join. */
void jrv_register_lose_all(void);

#endif
