/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that Java calls on its way to streams, inboxes and the log; app_natives.c has those about apps.
 * Threads as in natives.h.
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

void jruvoy_native_wake(int64_t inbox)
{
    jrv_inbox_wake(inbox_of(inbox));
}

static void send_one(const struct jrv_message *message)
{
    struct jrv_stream *stream = (struct jrv_stream *)(uintptr_t)message->stream;
    bool releases = (message->flags & JRV_MESSAGE_RELEASES) != 0;
    switch ((enum jrv_message_kind)message->kind) {
    case JRV_MESSAGE_COMPLETE:
    case JRV_MESSAGE_HEAD:
    case JRV_MESSAGE_DATA:
    case JRV_MESSAGE_TRAILERS:
    case JRV_MESSAGE_RESET:
        jrv_outbox_append(&stream->outbox, jrv_outgoing_copy(message), releases);
        break;
    case JRV_MESSAGE_CREDIT:
        jrv_outbox_credit(&stream->outbox, message->credit);
        JRV_ASSERT(!releases);
        break;
    case JRV_MESSAGE_RELEASE:
        jrv_outbox_release(&stream->outbox);
        releases = true;
        break;
    }
    if (releases)
        jrv_stream_owner_done(stream);
}

void jruvoy_native_send(int64_t messages, int32_t length)
{
    const char *next = (const char *)(intptr_t)messages;
    const char *end = next + length;
    while (end - next >= (ptrdiff_t)sizeof(struct jrv_message)) {
        const struct jrv_message *message = (const struct jrv_message *)(const void *)next;
        bool whole = message->total >= sizeof(*message) && message->total % 8 == 0 &&
                     (ptrdiff_t)message->total <= end - next;
        JRV_ASSERT(whole);
        if (!whole)
            return;
        send_one(message);
        next += message->total;
    }
    JRV_ASSERT(next == end);
}

int64_t jruvoy_native_inflight_body_bytes(void)
{
    return (int64_t)jrv_budget_in_use();
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
