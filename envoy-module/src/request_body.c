/* SPDX-License-Identifier: Apache-2.0 */
/* Request bodies; see request_body.h. Worker. */
#include "request_body.h"

#include <string.h>

#include "allocation.h"
#include "assertion.h"
#include "envoy_abi.h"
#include "inbox.h"
#include "request_record.h"
#include "stream.h"

#define CHUNKS_ON_STACK 64

void jrv_request_body_init(struct jrv_request_body *body, uint64_t window, bool complete)
{
    jrv_request_credit_init(&body->credit, window);
    body->trailers = NULL;
    body->complete = complete;
    body->end_posted = complete;
}

static void post(struct jrv_stream *stream, struct jrv_inbox_node *node)
{
    node->event.stream = (uint64_t)(uintptr_t)stream;
    jrv_inbox_post(stream->inbox, node);
}

/* Copies the first `size` bytes of one of Envoy's buffers. */
static void copy(void *envoy, enum envoy_body_type type, char *to, uint64_t size)
{
    struct envoy_view on_stack[CHUNKS_ON_STACK];
    size_t count = envoy_dynamic_module_callback_http_get_body_chunks_size(envoy, type);
    struct envoy_view *chunks =
        count <= CHUNKS_ON_STACK ? on_stack : jrv_allocate(count * sizeof(*chunks));
    if (!envoy_dynamic_module_callback_http_get_body_chunks(envoy, type, chunks))
        count = 0;
    for (size_t i = 0; i < count && size > 0; i++) {
        size_t part = chunks[i].length < size ? chunks[i].length : (size_t)size;
        if (part > 0)
            memcpy(to, chunks[i].ptr, part);
        to += part;
        size -= part;
    }
    JRV_ASSERT(size == 0);
    if (chunks != on_stack)
        free(chunks);
}

/* Hands over what the credit allows of one buffer; true when the buffer is empty now. `behind`:
 * bytes that follow in another buffer. */
static bool hand_over(struct jrv_stream *stream, enum envoy_body_type type, uint64_t behind)
{
    struct jrv_request_body *body = &stream->request_body;
    uint64_t size = envoy_dynamic_module_callback_http_get_body_size(stream->envoy, type);
    uint64_t part = jrv_request_credit_available(&body->credit);
    if (part > size)
        part = size;
    if (part == 0)
        return size == 0;
    char *bytes;
    struct jrv_inbox_node *node = jrv_inbox_node_new(JRV_EVENT_BODY, part, &bytes);
    copy(stream->envoy, type, bytes, part);
    (void)envoy_dynamic_module_callback_http_drain_body(stream->envoy, type, (size_t)part);
    jrv_request_credit_spend(&body->credit, part);
    if (body->complete && body->trailers == NULL && part == size && behind == 0) {
        node->event.flags = JRV_EVENT_END_STREAM;
        body->end_posted = true;
    }
    post(stream, node);
    return part == size;
}

static void post_end(struct jrv_stream *stream)
{
    struct jrv_request_body *body = &stream->request_body;
    struct jrv_inbox_node *node = body->trailers;
    if (node == NULL) {
        char *bytes;
        node = jrv_inbox_node_new(JRV_EVENT_BODY, 0, &bytes);
        node->event.flags = JRV_EVENT_END_STREAM;
    }
    body->trailers = NULL;
    body->end_posted = true;
    post(stream, node);
}

/* Only streams that the owner has and still reads, and that Envoy still serves; on 1.39 the buffers
 * are gone after an end. */
static bool wanted(const struct jrv_stream *stream)
{
    return stream->admitted && stream->state < JRV_STREAM_ENDED &&
           !stream->request_body.end_posted && !stream->early_answer.waiting;
}

static void deliver(struct jrv_stream *stream, bool in_body_hook)
{
    uint64_t received = 0;
    if (in_body_hook)
        received = envoy_dynamic_module_callback_http_get_body_size(stream->envoy,
                                                                    ENVOY_BODY_RECEIVED_REQUEST);
    if (!hand_over(stream, ENVOY_BODY_BUFFERED_REQUEST, received))
        return;
    if (received > 0 && !hand_over(stream, ENVOY_BODY_RECEIVED_REQUEST, 0))
        return;
    if (stream->request_body.complete && !stream->request_body.end_posted)
        post_end(stream);
}

void jrv_request_body_received(struct jrv_stream *stream, bool end)
{
    if (!wanted(stream))
        return;
    stream->request_body.complete = end;
    deliver(stream, true);
}

void jrv_request_body_trailers(struct jrv_stream *stream)
{
    if (!wanted(stream))
        return;
    stream->request_body.trailers = jrv_request_record_trailers(stream->envoy);
    stream->request_body.complete = true;
    deliver(stream, false);
}

void jrv_request_body_granted(struct jrv_stream *stream, uint64_t bytes)
{
    jrv_request_credit_grant(&stream->request_body.credit, bytes);
    if (wanted(stream))
        deliver(stream, false);
}

void jrv_request_body_close(struct jrv_request_body *body)
{
    jrv_request_credit_close(&body->credit);
    free(body->trailers);
    body->trailers = NULL;
}
