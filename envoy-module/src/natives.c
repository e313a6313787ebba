/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that Java calls on its way to streams, inboxes and the log; app_natives.c has those
 * about apps. Threads as in natives.h.
 */
#include "natives.h"

#include "app.h"
#include "assertion.h"
#include "credit.h"
#include "inbox.h"
#include "log.h"
#include "stream.h"

static struct jrv_inbox *inbox_of(int64_t handle)
{
    return (struct jrv_inbox *)(intptr_t)handle;
}

/* ---- Owner ---- */

int32_t jruvoy_native_poll(int64_t inbox, int64_t events, int32_t capacity)
{
    return jrv_inbox_poll(inbox_of(inbox), (struct jrv_event *)(intptr_t)events, capacity);
}

int32_t jruvoy_native_sleep(int64_t inbox)
{
    return jrv_inbox_sleep(inbox_of(inbox)) ? 1 : 0;
}

void jruvoy_native_awake(int64_t inbox)
{
    jrv_inbox_awake(inbox_of(inbox));
}

/* ---- Any thread ---- */

int32_t jruvoy_native_wake_descriptor(int64_t inbox)
{
    return inbox_of(inbox)->wake_descriptor;
}

void jruvoy_native_stop(int64_t inbox)
{
    jrv_inbox_stop(inbox_of(inbox));
}

static void add(struct jrv_outbox_batch *batch, const struct jrv_message *message)
{
    switch ((enum jrv_message_kind)message->kind) {
    case JRV_MESSAGE_COMPLETE:
    case JRV_MESSAGE_HEAD:
    case JRV_MESSAGE_DATA:
    case JRV_MESSAGE_TRAILERS:
    case JRV_MESSAGE_RESET:
        jrv_outbox_batch_add(batch, jrv_outgoing_copy(message));
        break;
    case JRV_MESSAGE_CREDIT:
        batch->credit += message->credit;
        break;
    case JRV_MESSAGE_RELEASE:
        batch->released = true;
        break;
    default:
        JRV_ASSERT(false && "known message kind");
        break;
    }
    if ((message->flags & JRV_MESSAGE_RELEASES) != 0)
        batch->released = true;
}

static void put(struct jrv_stream *stream, struct jrv_outbox_batch *batch)
{
    jrv_outbox_put(&stream->outbox, batch);
    if (batch->released)
        jrv_stream_owner_done(stream);
}

/* NULL, and an assertion, when what is left holds no whole message. */
static const struct jrv_message *message_at(const char *at, const char *end)
{
    const struct jrv_message *message = (const struct jrv_message *)(const void *)at;
    bool whole = end - at >= (ptrdiff_t)sizeof(*message) && message->total >= sizeof(*message) &&
                 message->total % 8 == 0 && (ptrdiff_t)message->total <= end - at;
    JRV_ASSERT(whole);
    return whole ? message : NULL;
}

/* Neighbours of one stream go in together, so that their worker is not woken between them. */
void jruvoy_native_send(int64_t messages, int32_t length)
{
    const char *at = (const char *)(intptr_t)messages;
    const char *end = at + length;
    struct jrv_outbox_batch batch = {NULL, NULL, 0, false};
    struct jrv_stream *stream = NULL;
    while (at < end) {
        const struct jrv_message *message = message_at(at, end);
        if (message == NULL)
            break;
        struct jrv_stream *next = (struct jrv_stream *)(uintptr_t)message->stream;
        if (stream != NULL && (next != stream || batch.released)) {
            put(stream, &batch);
            batch = (struct jrv_outbox_batch){NULL, NULL, 0, false};
        }
        stream = next;
        add(&batch, message);
        at += message->total;
    }
    if (stream != NULL)
        put(stream, &batch);
}

int64_t jruvoy_native_inflight_body_bytes(void)
{
    return (int64_t)jrv_budget_in_use();
}

int32_t jruvoy_native_budget_spent(void)
{
    return jrv_budget_spent() ? 1 : 0;
}

int32_t jruvoy_native_inflight_requests(int64_t app)
{
    const struct jrv_app *it = (const struct jrv_app *)(intptr_t)app;
    return (int32_t)jrv_admission_live(&it->admission);
}

/* ---- Log ---- */

void jruvoy_native_log(int32_t level, const char *line)
{
    if (level >= ENVOY_LOG_TRACE && level < ENVOY_LOG_OFF)
        jrv_log_line((enum envoy_log_level)level, line);
}

int32_t jruvoy_native_log_enabled(int32_t level)
{
    bool known = level >= ENVOY_LOG_TRACE && level < ENVOY_LOG_OFF;
    return known && jrv_log_enabled((enum envoy_log_level)level) ? 1 : 0;
}
