/* SPDX-License-Identifier: Apache-2.0 */
/* Streams; see stream.h for the threads. */
#include "stream.h"

#include <stddef.h>
#include <string.h>

#include "allocation.h"
#include "assertion.h"
#include "envoy_abi.h"
#include "local_reply.h"
#include "placement.h"
#include "request_record.h"
#include "wake.h"

/* Of owner and Envoy. */
#define SLOT_HOLDERS 2

#define STREAM_OF(event, field)                                                                    \
    ((struct jrv_stream *)(void *)((char *)(event) - offsetof(struct jrv_stream, field)))

/* ---- References and slot. Any thread. ---- */

void jrv_stream_ref(struct jrv_stream *stream)
{
    atomic_fetch_add_explicit(&stream->references, 1, memory_order_relaxed);
}

void jrv_stream_unref(struct jrv_stream *stream)
{
    if (atomic_fetch_sub_explicit(&stream->references, 1, memory_order_acq_rel) != 1)
        return;
    jrv_outbox_destroy(&stream->outbox);
    free(stream);
}

static void leave_slot(struct jrv_stream *stream)
{
    if (atomic_fetch_sub_explicit(&stream->slot_holders, 1, memory_order_acq_rel) == 1)
        jrv_admission_leave(&stream->app->admission, stream->generation);
}

/* ---- Worker ---- */

struct jrv_stream *jrv_stream_new(struct jrv_app *app, void *envoy)
{
    struct jrv_stream *stream = jrv_allocate(sizeof(*stream));
    memset(stream, 0, sizeof(*stream));
    atomic_init(&stream->references, 1);
    jrv_outbox_init(&stream->outbox);
    stream->app = app;
    stream->envoy = envoy;
    stream->state = JRV_STREAM_FRESH;
    stream->worker_thread = pthread_self();
    stream->credit_event.event.kind = JRV_EVENT_CREDIT;
    stream->credit_event.event.stream = (uint64_t)(uintptr_t)stream;
    stream->closed_event.event.kind = JRV_EVENT_CLOSED;
    stream->closed_event.event.stream = (uint64_t)(uintptr_t)stream;
    return stream;
}

bool jrv_stream_advance(struct jrv_stream *stream, enum jrv_stream_state state)
{
    JRV_ASSERT_WORKER(stream);
    bool forward = state > stream->state;
    JRV_ASSERT(forward);
    if (forward)
        stream->state = state;
    return forward;
}

void jrv_stream_end(struct jrv_stream *stream, enum jrv_end_reason reason)
{
    if (stream->end == JRV_END_NONE)
        stream->end = reason;
}

/* Gives the stream to the owner; `node` is its NEW event. */
static void hand_over(struct jrv_stream *stream, struct jrv_inbox_node *node,
                      const struct jrv_request_facts *facts, bool end)
{
    uint64_t window = stream->app->window_bytes;
    stream->admitted = true;
    stream->inbox = jrv_placement_inbox(stream->app, stream->envoy);
    jrv_request_body_init(&stream->request_body, window, end);
    jrv_response_init(&stream->response, window);
    jrv_early_answer_init(&stream->early_answer, facts, end);
    jrv_outbox_open(&stream->outbox,
                    envoy_dynamic_module_callback_http_filter_scheduler_new(stream->envoy));
    atomic_store_explicit(&stream->slot_holders, SLOT_HOLDERS, memory_order_relaxed);
    jrv_stream_ref(stream);
    node->event.stream = (uint64_t)(uintptr_t)stream;
    node->event.flags =
        (end ? JRV_EVENT_END_STREAM : 0u) | (facts->upgrade ? JRV_EVENT_UPGRADE : 0u);
    jrv_wake_post(stream, node);
}

void jrv_stream_begin(struct jrv_stream *stream, bool end)
{
    struct jrv_admission *admission = &stream->app->admission;
    if (stream->state != JRV_STREAM_FRESH)
        return;
    if (jrv_admission_enter(admission, &stream->generation) != JRV_ADMIT_YES) {
        jrv_local_reply_send(stream, JRV_REPLY_UNAVAILABLE, JRV_END_REFUSED);
        return;
    }
    struct jrv_request_facts facts;
    struct jrv_inbox_node *node = jrv_request_record_new(stream->envoy, &facts);
    if (node == NULL) {
        jrv_admission_leave(admission, stream->generation);
        jrv_admission_count_refusal(admission,
                                    facts.tunnel ? JRV_ADMIT_TUNNEL : JRV_ADMIT_BAD_AUTHORITY);
        jrv_local_reply_send(stream, facts.tunnel ? JRV_REPLY_NOT_ALLOWED : JRV_REPLY_BAD_REQUEST,
                             JRV_END_REFUSED);
        return;
    }
    stream->response.head_only = facts.head_only;
    jrv_stream_advance(stream, JRV_STREAM_WAITING);
    hand_over(stream, node, &facts, end);
}

void jrv_stream_apply_outbox(struct jrv_stream *stream)
{
    struct jrv_outbox_batch batch;
    jrv_outbox_take(&stream->outbox, &batch);
    jrv_response_enqueue(&stream->response, batch.first, batch.last);
    if (batch.credit > 0)
        jrv_request_body_granted(stream, batch.credit);
    jrv_response_send(stream);
}

void jrv_stream_replied(struct jrv_stream *stream)
{
    if (stream->state >= JRV_STREAM_ENDED)
        return;
    jrv_stream_advance(stream, JRV_STREAM_ENDED);
    jrv_stream_end(stream, JRV_END_ENVOY_RESET);
}

/* ---- Worker: sends, credit, the end ---- */

static void say_closed(void *context)
{
    struct jrv_stream *stream = context;
    stream->closed_event.event.flags = (uint32_t)stream->end;
    jrv_stream_ref(stream);
    jrv_inbox_post(stream->inbox, &stream->closed_event);
}

void jrv_stream_enter_send(struct jrv_stream *stream)
{
    stream->sending++;
}

void jrv_stream_leave_send(struct jrv_stream *stream)
{
    stream->sending--;
    if (stream->sending > 0 || !stream->close_due)
        return;
    stream->close_due = false;
    jrv_outbox_unless_released(&stream->outbox, say_closed, stream);
}

void jrv_stream_post_credit(struct jrv_stream *stream, uint64_t bytes)
{
    atomic_fetch_add(&stream->credit_bytes, bytes);
    if (atomic_exchange(&stream->credit_queued, 1) != 0)
        return;
    jrv_stream_ref(stream);
    jrv_inbox_post(stream->inbox, &stream->credit_event);
}

static bool contains(struct envoy_view text, const char *part)
{
    return text.length > 0 && memmem(text.ptr, text.length, part, strlen(part)) != NULL;
}

/* Envoy ended the stream before we did. Its details name a reset by the client "..._remote_..." in
 * every codec. */
static enum jrv_end_reason reason_of_envoy(const struct jrv_stream *stream)
{
    uint64_t flags = 0;
    struct envoy_view details = {NULL, 0};
    (void)envoy_dynamic_module_callback_http_filter_get_attribute_int(
        stream->envoy, ENVOY_ATTRIBUTE_RESPONSE_FLAGS, &flags);
    if ((flags & ENVOY_FLAG_DOWNSTREAM_TERMINATION) != 0)
        return JRV_END_CLIENT_GONE;
    (void)envoy_dynamic_module_callback_http_filter_get_attribute_string(
        stream->envoy, ENVOY_ATTRIBUTE_RESPONSE_CODE_DETAILS, &details);
    return contains(details, "remote") ? JRV_END_CLIENT_GONE : JRV_END_ENVOY_RESET;
}

void jrv_stream_complete(struct jrv_stream *stream)
{
    if (stream->state == JRV_STREAM_CLOSED)
        return;
    if (stream->admitted && stream->end == JRV_END_NONE)
        jrv_stream_end(stream, reason_of_envoy(stream));
    jrv_stream_advance(stream, JRV_STREAM_CLOSED);
    jrv_wake_carrier_ends(stream);
    jrv_outbox_close(&stream->outbox);
    if (!stream->admitted)
        return;
    jrv_response_discard(&stream->response);
    jrv_request_body_close(&stream->request_body);
    if (stream->sending > 0)
        stream->close_due = true;
    else
        jrv_outbox_unless_released(&stream->outbox, say_closed, stream);
    leave_slot(stream);
}

/* ---- Owner ---- */

void jrv_stream_owner_done(struct jrv_stream *stream)
{
    leave_slot(stream);
    jrv_stream_unref(stream);
}

uint64_t jrv_stream_credit_event_polled(struct jrv_inbox_node *node)
{
    struct jrv_stream *stream = STREAM_OF(node, credit_event);
    /* First free the node, then take the bytes: a worker that adds in between posts an event of
     * zero bytes. */
    atomic_store(&stream->credit_queued, 0);
    uint64_t bytes = atomic_exchange(&stream->credit_bytes, 0);
    jrv_stream_unref(stream);
    return bytes;
}

void jrv_stream_closed_event_polled(struct jrv_inbox_node *node)
{
    jrv_stream_unref(STREAM_OF(node, closed_event));
}
