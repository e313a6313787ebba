/* SPDX-License-Identifier: Apache-2.0 */
/* The host's callbacks for one stream; see fake_envoy.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_private.h"

static void violation(const char *what)
{
    fprintf(stderr, "illegal call: %s\n", what);
    atomic_fetch_add(&fake_violations, 1);
}

/* Callbacks of a destroyed stream do nothing in Envoy; here they are an error of the module. */
static struct fake_stream *alive(void *filter)
{
    struct fake_stream *stream = filter;
    if (atomic_load(&stream->dead))
        violation("on a destroyed stream");
    return stream;
}

/* ---- Request ---- */

size_t envoy_dynamic_module_callback_http_get_headers_size(void *filter,
                                                           enum envoy_header_type type)
{
    struct fake_stream *stream = alive(filter);
    return type == ENVOY_REQUEST_HEADERS ? stream->request_header_count
                                         : stream->request_trailer_count;
}

bool envoy_dynamic_module_callback_http_get_headers(void *filter, enum envoy_header_type type,
                                                    struct envoy_header *headers)
{
    struct fake_stream *stream = alive(filter);
    const struct envoy_header *from =
        type == ENVOY_REQUEST_HEADERS ? stream->request_headers : stream->request_trailers;
    memcpy(headers, from,
           envoy_dynamic_module_callback_http_get_headers_size(filter, type) * sizeof(*headers));
    return true;
}

bool envoy_dynamic_module_callback_http_get_header(void *filter, enum envoy_header_type type,
                                                   struct envoy_view key, struct envoy_view *value,
                                                   size_t index, size_t *count)
{
    struct fake_stream *stream = alive(filter);
    size_t seen = 0;
    if (type != ENVOY_REQUEST_HEADERS)
        violation("only request headers can be looked up");
    for (size_t i = 0; i < stream->request_header_count; i++) {
        const struct envoy_header *header = &stream->request_headers[i];
        if (header->key_length != key.length || memcmp(header->key_ptr, key.ptr, key.length) != 0)
            continue;
        if (seen == index)
            *value = (struct envoy_view){header->value_ptr, header->value_length};
        seen++;
    }
    if (count != NULL)
        *count = seen;
    return seen > index;
}

bool envoy_dynamic_module_callback_http_filter_get_attribute_string(void *filter,
                                                                    enum envoy_attribute id,
                                                                    struct envoy_view *value)
{
    struct fake_stream *stream = alive(filter);
    const char *text = id == ENVOY_ATTRIBUTE_REQUEST_PROTOCOL          ? stream->protocol
                       : id == ENVOY_ATTRIBUTE_SOURCE_ADDRESS          ? stream->address
                       : id == ENVOY_ATTRIBUTE_CONNECTION_TLS_VERSION  ? stream->tls
                       : id == ENVOY_ATTRIBUTE_CONNECTION_SERVER_NAME  ? stream->server_name
                       : id == ENVOY_ATTRIBUTE_CONNECTION_PEER_SUBJECT ? stream->peer_subject
                       : id == ENVOY_ATTRIBUTE_RESPONSE_CODE_DETAILS   ? stream->details
                                                                       : NULL;
    if (text == NULL)
        return false;
    *value = (struct envoy_view){text, strlen(text)};
    return true;
}

bool envoy_dynamic_module_callback_http_filter_get_attribute_int(void *filter,
                                                                 enum envoy_attribute id,
                                                                 uint64_t *value)
{
    if (id != ENVOY_ATTRIBUTE_RESPONSE_FLAGS)
        return false;
    *value = alive(filter)->flags;
    return true;
}

uint32_t envoy_dynamic_module_callback_http_filter_get_worker_index(void *filter)
{
    return alive(filter)->worker->index;
}

/* ---- Request body ---- */

static struct fake_bytes *body_of(void *filter, enum envoy_body_type type)
{
    struct fake_stream *stream = alive(filter);
    if (stream->ended)
        violation("request body after the end");
    if (type == ENVOY_BODY_RECEIVED_REQUEST && !stream->in_request_hook)
        violation("received body outside of the body hook");
    return type == ENVOY_BODY_RECEIVED_REQUEST ? &stream->received : &stream->buffered;
}

size_t envoy_dynamic_module_callback_http_get_body_size(void *filter, enum envoy_body_type type)
{
    return body_of(filter, type)->length;
}

/* Three bytes first, then the rest: bodies come in pieces. */
size_t envoy_dynamic_module_callback_http_get_body_chunks_size(void *filter,
                                                               enum envoy_body_type type)
{
    size_t length = body_of(filter, type)->length;
    return length > 3 ? 2 : length > 0 ? 1 : 0;
}

bool envoy_dynamic_module_callback_http_get_body_chunks(void *filter, enum envoy_body_type type,
                                                        struct envoy_view *chunks)
{
    const struct fake_bytes *body = body_of(filter, type);
    size_t first = body->length > 3 ? 3 : body->length;
    if (first > 0)
        chunks[0] = (struct envoy_view){body->data, first};
    if (body->length > first)
        chunks[1] = (struct envoy_view){body->data + first, body->length - first};
    return true;
}

bool envoy_dynamic_module_callback_http_drain_body(void *filter, enum envoy_body_type type,
                                                   size_t bytes)
{
    fake_bytes_drop(body_of(filter, type), bytes);
    return true;
}

/* ---- Response ---- */

static void print_headers(char *text, size_t size, const struct envoy_header *headers, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%.*s: %.*s\n",
                                 (int)headers[i].key_length, headers[i].key_ptr,
                                 (int)headers[i].value_length, headers[i].value_ptr);
}

static int status_of(const char *digits)
{
    return (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0');
}

/* False when the call must not have an effect. */
static bool may_send(struct fake_stream *stream)
{
    if (stream->ended || stream->completed) {
        violation("send after the end");
        return false;
    }
    if (stream->disconnects_in_send) {
        stream->disconnects_in_send = false;
        fake_stream_disconnect(stream);
        return false;
    }
    return true;
}

void envoy_dynamic_module_callback_http_send_response(void *filter, uint32_t status,
                                                      struct envoy_header *headers,
                                                      size_t header_count, struct envoy_view body,
                                                      struct envoy_view details)
{
    struct fake_stream *stream = alive(filter);
    (void)details;
    char head[256] = "";
    char text[256];
    print_headers(head, sizeof(head), headers, header_count);
    snprintf(text, sizeof(text), "%.*s", (int)body.length, body.ptr);
    if (!stream->in_request_hook) {
        fake_stream_send_reply(stream, (int)status, head, text);
        return;
    }
    stream->prepared_status = (int)status;
    memcpy(stream->prepared_head, head, sizeof(head));
    memcpy(stream->prepared_body, text, sizeof(text));
}

void envoy_dynamic_module_callback_http_send_response_headers(void *filter,
                                                              struct envoy_header *headers,
                                                              size_t header_count, bool end)
{
    struct fake_stream *stream = alive(filter);
    if (!may_send(stream))
        return;
    if (stream->status != 0)
        violation("second head");
    if (stream->answers_heads) {
        fake_stream_envoy_reply(stream, 502);
        return;
    }
    if (header_count == 0 || headers[0].value_length != 3)
        violation("head without a status");
    else
        stream->status = status_of(headers[0].value_ptr);
    print_headers(stream->head, sizeof(stream->head), headers, header_count);
    if (end)
        fake_stream_ended(stream);
}

void envoy_dynamic_module_callback_http_send_response_data(void *filter, struct envoy_view data,
                                                           bool end)
{
    struct fake_stream *stream = alive(filter);
    if (!may_send(stream))
        return;
    if (stream->status == 0)
        violation("data before the head");
    fake_bytes_append(&stream->body, data.ptr, data.length);
    fake_stream_filled(stream, data.length);
    if (end && !stream->completed)
        fake_stream_ended(stream);
}

void envoy_dynamic_module_callback_http_send_response_trailers(void *filter,
                                                               struct envoy_header *trailers,
                                                               size_t trailer_count)
{
    struct fake_stream *stream = alive(filter);
    if (!may_send(stream))
        return;
    if (stream->status == 0)
        violation("trailers before the head");
    print_headers(stream->trailers, sizeof(stream->trailers), trailers, trailer_count);
    fake_stream_ended(stream);
}

void envoy_dynamic_module_callback_http_filter_reset_stream(void *filter,
                                                            enum envoy_reset_reason reason,
                                                            struct envoy_view details)
{
    struct fake_stream *stream = alive(filter);
    (void)reason;
    (void)details;
    if (stream->completed)
        violation("reset after the end");
    stream->reset = true;
    stream->ended = true;
    fake_stream_complete(stream);
}

/* ---- Schedulers ---- */

void *envoy_dynamic_module_callback_http_filter_scheduler_new(void *filter)
{
    struct fake_scheduler *scheduler = malloc(sizeof(*scheduler));
    scheduler->stream = alive(filter);
    fake_stream_ref(scheduler->stream);
    return scheduler;
}

void envoy_dynamic_module_callback_http_filter_scheduler_commit(void *scheduler, uint64_t event)
{
    struct fake_scheduler *it = scheduler;
    atomic_fetch_add(&fake_commits, 1);
    fake_worker_post(it->stream->worker, it->stream, event);
}

void envoy_dynamic_module_callback_http_filter_scheduler_delete(void *scheduler)
{
    struct fake_scheduler *it = scheduler;
    fake_stream_release(it->stream);
    free(it);
}
