/* SPDX-License-Identifier: Apache-2.0 */
/* Brings a stream back to its worker at a given moment: filters have no timers of their own in
 * Envoy's module interface. One thread for all streams, started with the first reminder, asleep
 * while there is none.
 */
#ifndef JRV_REMINDER_H
#define JRV_REMINDER_H

#include <stdbool.h>
#include <stdint.h>

struct jrv_stream;

/* Commits the stream's scheduler at `moment` (jrv_monotonic_now_ms) or soon after, unless Envoy has
 * completed the stream by then. Holds a reference until then. False when there can be no such
 * thread. Any thread. */
bool jrv_reminder_set(struct jrv_stream *stream, uint64_t moment);

#endif
