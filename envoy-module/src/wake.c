/* SPDX-License-Identifier: Apache-2.0 */
/* Held wakes; see wake.h. Worker. */
#include "wake.h"

#include <stddef.h>

#include "envoy_abi.h"
#include "stream.h"

/* Requests that wait for a sleeping owner at most. Measured: at 8 an owner sleeps a seventh as
 * often as without; at 16 and more the worker has to wait for its answers. */
#define WAKE_AFTER 8

/* What a worker holds. The carrier is a stream of the inbox's app and not completed, so both live.
 */
static _Thread_local struct {
    struct jrv_inbox *inbox; /* NULL: holds none. */
    const struct jrv_stream *carrier;
    uint32_t waiting;
} held;

/* The only request in flight: there is no other that may come in this turn. */
static bool is_alone(struct jrv_stream *stream)
{
    return jrv_admission_live(&stream->app->admission) <= 1;
}

static void hold(struct jrv_stream *carrier)
{
    held.inbox = carrier->inbox;
    held.carrier = carrier;
    held.waiting = 1;
    /* On the dispatcher's own thread, so it runs after all that is ready now, and makes no system
     * call. */
    jrv_outbox_schedule(&carrier->outbox, JRV_SCHEDULED_WAKE);
}

void jrv_wake_post(struct jrv_stream *stream, struct jrv_inbox_node *node)
{
    if (!jrv_inbox_push(stream->inbox, node))
        return;
    if (is_alone(stream)) {
        jrv_inbox_wake(stream->inbox);
    } else if (held.inbox != stream->inbox) {
        jrv_wake_give();
        hold(stream);
    } else if (++held.waiting >= WAKE_AFTER) {
        jrv_wake_give();
    }
}

void jrv_wake_give(void)
{
    struct jrv_inbox *inbox = held.inbox;
    held.inbox = NULL;
    if (inbox != NULL)
        jrv_inbox_wake(inbox);
}

void jrv_wake_carrier_ends(const struct jrv_stream *stream)
{
    if (held.inbox != NULL && held.carrier == stream)
        jrv_wake_give();
}
