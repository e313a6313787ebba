/* SPDX-License-Identifier: Apache-2.0 */
/* When a sleeping owner is woken for new requests: once for several that one turn of the worker's
 * dispatcher brings, not once for each. An owner is faster than a worker, so it would fall asleep
 * between any two of them, and a wake costs as much as the rest of the way to it.
 *
 * The wake is held until enough requests wait, or until the dispatcher has run what was ready: an
 * event of one waiting stream's scheduler, the carrier, comes then. A request that is alone wakes
 * at once. Worker, inside a hook.
 */
#ifndef JRV_WAKE_H
#define JRV_WAKE_H

#include "inbox.h"

struct jrv_stream;

/* Hands the NEW event of `stream` over, whose outbox is open. */
void jrv_wake_post(struct jrv_stream *stream, struct jrv_inbox_node *node);

/* Gives the wake that this worker holds, if any. */
void jrv_wake_give(void);

/* Envoy is done with `stream`: its scheduler's event will not come any more. */
void jrv_wake_carrier_ends(const struct jrv_stream *stream);

#endif
