/* SPDX-License-Identifier: Apache-2.0 */
/* Responses; see response.h. Worker. */
#include "response.h"

#include "assertion.h"
#include "envoy_abi.h"
#include "local_reply.h"
#include "log.h"
#include "stream.h"

void jrv_response_init(struct jrv_response *response, uint64_t window)
{
    /* Not the watermark level: Envoy may have told it before the request came. */
    response->first = NULL;
    response->last = NULL;
    jrv_response_credit_init(&response->credit, window);
}

void jrv_response_enqueue(struct jrv_response *response, struct jrv_outgoing *first,
                          struct jrv_outgoing *last)
{
    if (first == NULL)
        return;
    if (response->last != NULL)
        response->last->next = first;
    else
        response->first = first;
    response->last = last;
}

void jrv_response_discard(struct jrv_response *response)
{
    jrv_outgoing_free_chain(response->first);
    response->first = NULL;
    response->last = NULL;
}

static struct jrv_outgoing *pop(struct jrv_response *response)
{
    struct jrv_outgoing *outgoing = response->first;
    response->first = outgoing->next;
    if (response->first == NULL)
        response->last = NULL;
    return outgoing;
}

/* ---- The four sends. Each may end with the stream closed. ---- */

static void send_headers(struct jrv_stream *stream, struct jrv_outgoing *outgoing, bool end)
{
    if (!jrv_stream_advance(stream, end ? JRV_STREAM_ENDED : JRV_STREAM_STREAMING))
        return;
    if (end)
        jrv_stream_end(stream, JRV_END_COMPLETED);
    /* After this no request ends by itself. */
    if (outgoing->status == 101)
        stream->early_answer.possible = false;
    jrv_stream_enter_send(stream);
    envoy_dynamic_module_callback_http_send_response_headers(stream->envoy, outgoing->headers,
                                                             outgoing->header_count, end);
    jrv_stream_leave_send(stream);
}

static void send_data(struct jrv_stream *stream, struct envoy_view body, bool end)
{
    if (end) {
        if (!jrv_stream_advance(stream, JRV_STREAM_ENDED))
            return;
        jrv_stream_end(stream, JRV_END_COMPLETED);
    }
    jrv_stream_enter_send(stream);
    envoy_dynamic_module_callback_http_send_response_data(stream->envoy, body, end);
    jrv_stream_leave_send(stream);
}

static void send_trailers(struct jrv_stream *stream, struct jrv_outgoing *outgoing)
{
    if (!jrv_stream_advance(stream, JRV_STREAM_ENDED))
        return;
    jrv_stream_end(stream, JRV_END_COMPLETED);
    jrv_stream_enter_send(stream);
    envoy_dynamic_module_callback_http_send_response_trailers(stream->envoy, outgoing->headers,
                                                              outgoing->header_count);
    jrv_stream_leave_send(stream);
}

/* The client must be able to tell: a bare 500 while there is no head, else a cut. */
static void abort_response(struct jrv_stream *stream, enum jrv_end_reason reason)
{
    static const struct envoy_view details = {"jruvoy_reset", 12};
    if (stream->state == JRV_STREAM_WAITING) {
        jrv_local_reply_send(stream, JRV_REPLY_ERROR, reason);
        return;
    }
    if (!jrv_stream_advance(stream, JRV_STREAM_ENDED))
        return;
    jrv_stream_end(stream, reason);
    jrv_stream_enter_send(stream);
    envoy_dynamic_module_callback_http_filter_reset_stream(stream->envoy, ENVOY_RESET_LOCAL,
                                                           details);
    jrv_stream_leave_send(stream);
}

/* ---- Messages ---- */

/* HEAD requests and these statuses have no body, whatever the app says: the codec would not drop
 * it. */
static bool has_no_body(const struct jrv_stream *stream, const struct jrv_outgoing *outgoing)
{
    return stream->response.head_only || outgoing->status == 204 || outgoing->status == 304;
}

static void apply_complete(struct jrv_stream *stream, struct jrv_outgoing *outgoing)
{
    bool end = outgoing->body.length == 0 || has_no_body(stream, outgoing);
    send_headers(stream, outgoing, end);
    /* Envoy may have replaced the head by an answer of its own. */
    if (!end && stream->state == JRV_STREAM_STREAMING)
        send_data(stream, outgoing->body, true);
}

static void count_credit(struct jrv_stream *stream, uint64_t bytes)
{
    uint64_t report = jrv_response_credit_take(&stream->response.credit, bytes);
    if (report > 0)
        jrv_stream_post_credit(stream, report);
}

static void apply_data(struct jrv_stream *stream, struct jrv_outgoing *outgoing)
{
    if (outgoing->body.length > 0 || outgoing->end)
        send_data(stream, outgoing->body, outgoing->end);
    if (stream->state == JRV_STREAM_STREAMING)
        count_credit(stream, outgoing->body.length);
}

/* Whether this message may come now: one head first, then the rest, and nothing after the end. */
static bool in_order(const struct jrv_stream *stream, const struct jrv_outgoing *outgoing)
{
    switch (outgoing->kind) {
    case JRV_MESSAGE_COMPLETE:
    case JRV_MESSAGE_HEAD:
        return stream->state == JRV_STREAM_WAITING;
    case JRV_MESSAGE_DATA:
    case JRV_MESSAGE_TRAILERS:
        return stream->state == JRV_STREAM_STREAMING;
    default:
        return outgoing->kind == JRV_MESSAGE_RESET;
    }
}

static void apply(struct jrv_stream *stream, struct jrv_outgoing *outgoing)
{
    if (!in_order(stream, outgoing) || !outgoing->legal) {
        jrv_log(ENVOY_LOG_ERROR, "jruvoy: aborted a response: %s",
                outgoing->legal ? "its parts came in an illegal order"
                                : "HTTP does not allow its status, or a byte of its headers");
        JRV_ASSERT(false && "legal message in legal order");
        abort_response(stream, JRV_END_APP_ERROR);
        return;
    }
    switch (outgoing->kind) {
    case JRV_MESSAGE_COMPLETE:
        apply_complete(stream, outgoing);
        break;
    case JRV_MESSAGE_HEAD:
        send_headers(stream, outgoing, outgoing->end || has_no_body(stream, outgoing));
        break;
    case JRV_MESSAGE_DATA:
        apply_data(stream, outgoing);
        break;
    case JRV_MESSAGE_TRAILERS:
        send_trailers(stream, outgoing);
        break;
    default:
        abort_response(stream, outgoing->reason);
        break;
    }
}

/* A reset does not wait for a client that has stopped reading: what stands before it is dropped. */
static void skip_to_reset(struct jrv_response *response)
{
    while (response->first != response->last)
        jrv_outgoing_free(pop(response));
}

/* After an end of Envoy's, or of ours on a response without body, the app may still be sending: it
 * gets its credit, so that it never waits for nothing. */
static void drop_rest(struct jrv_stream *stream)
{
    while (stream->response.first != NULL) {
        struct jrv_outgoing *outgoing = pop(&stream->response);
        if (outgoing->kind == JRV_MESSAGE_DATA && stream->state == JRV_STREAM_ENDED)
            count_credit(stream, outgoing->body.length);
        jrv_outgoing_free(outgoing);
    }
}

/* ---- An end that comes before the request's ---- */

/* Whether the end of the response is at hand: with the first message once the head has left, and
 * anywhere before, so that the head can wait for it. */
static bool ends_here(const struct jrv_stream *stream)
{
    const struct jrv_response *response = &stream->response;
    if (response->last->kind == JRV_MESSAGE_RESET)
        return false;
    if (stream->state == JRV_STREAM_STREAMING)
        return response->first->end && response->first == response->last;
    return response->last->end || has_no_body(stream, response->first);
}

/* The body of the last message does not wait with its end. */
static void send_last_body(struct jrv_stream *stream)
{
    struct jrv_response *response = &stream->response;
    struct jrv_outgoing *last = pop(response);
    send_data(stream, last->body, false);
    if (stream->state == JRV_STREAM_STREAMING)
        count_credit(stream, last->body.length);
    jrv_outgoing_forget_body(last);
    /* Even when the client is gone: whoever comes next discards it. */
    jrv_response_enqueue(response, last, last);
}

static bool end_waits(struct jrv_stream *stream)
{
    struct jrv_outgoing *first = stream->response.first;
    if (!ends_here(stream) || !jrv_early_answer_wait(stream))
        return false;
    if (stream->state == JRV_STREAM_STREAMING && first->kind == JRV_MESSAGE_DATA &&
        first->body.length > 0)
        send_last_body(stream);
    return stream->state < JRV_STREAM_ENDED;
}

static void send_what_may_be_sent(struct jrv_stream *stream)
{
    struct jrv_response *response = &stream->response;
    while (response->first != NULL && stream->state < JRV_STREAM_ENDED) {
        if (response->above > 0) {
            if (response->last->kind != JRV_MESSAGE_RESET)
                return;
            skip_to_reset(response);
        }
        if (end_waits(stream))
            return;
        if (stream->state >= JRV_STREAM_ENDED)
            break;
        struct jrv_outgoing *outgoing = pop(response);
        apply(stream, outgoing);
        jrv_outgoing_free(outgoing);
    }
}

void jrv_response_send(struct jrv_stream *stream)
{
    send_what_may_be_sent(stream);
    if (stream->state >= JRV_STREAM_ENDED)
        drop_rest(stream);
    if (stream->state == JRV_STREAM_CLOSED)
        return;
    uint64_t report = jrv_response_credit_settle(&stream->response.credit);
    if (report > 0)
        jrv_stream_post_credit(stream, report);
}
