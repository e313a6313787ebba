/* SPDX-License-Identifier: Apache-2.0 */
/* A host for the module's bootstrap extension: Envoy's main thread as far as the control path sees
 * it.
 *
 * The test's main thread is Envoy's. Commits of the config scheduler may come from any thread;
 * fake_main_run() runs what they asked for.
 */
#ifndef JRV_FAKE_BOOTSTRAP_H
#define JRV_FAKE_BOOTSTRAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Set by tests ---- */

extern bool fake_validation_mode;

/* The gauge listener_manager.workers_started. */
extern uint64_t fake_workers_started;

/* ---- Seen by tests ---- */

/* How often init was signalled; how many schedulers and timers are not deleted. */
extern int fake_init_signals;
extern _Atomic int fake_live_schedulers;
extern int fake_live_timers;

/* Whether a line with `text` in it has been logged as an error since the last call of
 * fake_log_clear(). Any thread. */
bool fake_log_has_error(const char *text);
void fake_log_clear(void);

/* ---- Main ---- */

/* config_new and new with this JSON text; NULL when the module refuses. */
void *fake_bootstrap_new(const char *json);

/* http config_new with this filter name and JSON text; NULL when the module refuses. */
void *fake_filter_config_new(const char *name, const char *json);

/* Runs committed events and enabled timers, once each. */
void fake_main_run(void);

/* Runs main until `condition` holds or 5 s have passed; returns whether it holds. */
bool fake_main_run_until(bool (*condition)(void));

/* server_initialized. */
void fake_bootstrap_initialized(void);

/* shutdown, with a completion that counts. */
void fake_bootstrap_shutdown(void);

/* Completions so far. */
extern _Atomic int fake_completions;

/* destroy and config_destroy. */
void fake_bootstrap_destroy(void);

#endif
