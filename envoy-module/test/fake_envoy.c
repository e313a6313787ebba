/* SPDX-License-Identifier: Apache-2.0 */
/* The host: workers, streams and the order of hooks; see fake_envoy.h. */
#include "fake_envoy.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_private.h"

_Atomic int fake_violations;
_Atomic int fake_commits;

/* ---- Bytes ---- */

void fake_bytes_append(struct fake_bytes *bytes, const char *data, size_t length)
{
    if (length == 0)
        return;
    bytes->data = realloc(bytes->data, bytes->length + length + 1);
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
    bytes->data[bytes->length] = '\0';
}

void fake_bytes_drop(struct fake_bytes *bytes, size_t length)
{
    if (length > bytes->length) {
        atomic_fetch_add(&fake_violations, 1);
        length = bytes->length;
    }
    if (length == 0)
        return;
    bytes->length -= length;
    /* A fresh block, so that a sanitizer sees views that outlive the drain. */
    char *rest = malloc(bytes->length + 1);
    memcpy(rest, bytes->data + length, bytes->length);
    rest[bytes->length] = '\0';
    free(bytes->data);
    bytes->data = rest;
}

static void bytes_clear(struct fake_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct fake_bytes){NULL, 0};
}

/* ---- Workers ---- */

struct fake_worker *fake_worker_new(uint32_t index)
{
    struct fake_worker *worker = calloc(1, sizeof(*worker));
    worker->index = index;
    pthread_mutex_init(&worker->lock, NULL);
    return worker;
}

void fake_worker_post(struct fake_worker *worker, struct fake_stream *stream, uint64_t number)
{
    struct fake_event *event = calloc(1, sizeof(*event));
    fake_stream_ref(stream);
    event->stream = stream;
    event->number = number;
    pthread_mutex_lock(&worker->lock);
    if (worker->last != NULL)
        worker->last->next = event;
    else
        worker->first = event;
    worker->last = event;
    pthread_mutex_unlock(&worker->lock);
}

static struct fake_event *take_event(struct fake_worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    struct fake_event *event = worker->first;
    if (event != NULL) {
        worker->first = event->next;
        if (worker->first == NULL)
            worker->last = NULL;
    }
    pthread_mutex_unlock(&worker->lock);
    return event;
}

int fake_worker_run_scheduled(struct fake_worker *worker)
{
    int count = 0;
    struct fake_event *event;
    while ((event = take_event(worker)) != NULL) {
        struct fake_stream *stream = event->stream;
        if (!atomic_load(&stream->dead)) {
            stream->scheduled_hooks++;
            envoy_dynamic_module_on_http_filter_scheduled(stream, stream->filter, event->number);
            count++;
        }
        fake_stream_release(stream);
        free(event);
    }
    return count;
}

static void destroy(struct fake_stream *stream)
{
    atomic_store(&stream->dead, true);
    stream->destroyed = true;
    envoy_dynamic_module_on_http_filter_destroy(stream->filter);
    fake_stream_release(stream);
}

int fake_worker_run(struct fake_worker *worker)
{
    int count = fake_worker_run_scheduled(worker);
    while (worker->deferred != NULL) {
        struct fake_stream *stream = worker->deferred;
        worker->deferred = stream->deferred_next;
        destroy(stream);
    }
    return count;
}

void fake_worker_free(struct fake_worker *worker)
{
    fake_worker_run(worker);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

/* ---- Streams ---- */

struct fake_stream *fake_stream_new(struct fake_worker *worker, void *config)
{
    struct fake_stream *stream = calloc(1, sizeof(*stream));
    stream->protocol = "HTTP/1.1";
    stream->address = "192.0.2.7:4711";
    stream->details = "";
    stream->worker = worker;
    atomic_store(&stream->references, 2); /* The host's and the test's. */
    stream->filter = envoy_dynamic_module_on_http_filter_new(config, stream);
    return stream;
}

void fake_stream_ref(struct fake_stream *stream)
{
    atomic_fetch_add(&stream->references, 1);
}

void fake_stream_release(struct fake_stream *stream)
{
    if (atomic_fetch_sub(&stream->references, 1) != 1)
        return;
    bytes_clear(&stream->body);
    bytes_clear(&stream->buffered);
    bytes_clear(&stream->received);
    bytes_clear(&stream->discarded);
    free(stream);
}

void fake_stream_header(struct fake_stream *stream, const char *name, const char *value)
{
    stream->request_headers[stream->request_header_count++] =
        (struct envoy_header){name, strlen(name), value, strlen(value)};
}

void fake_stream_trailer(struct fake_stream *stream, const char *name, const char *value)
{
    stream->request_trailers[stream->request_trailer_count++] =
        (struct envoy_header){name, strlen(name), value, strlen(value)};
}

void fake_stream_request(struct fake_stream *stream, const char *method, const char *path,
                         const char *authority, bool end)
{
    fake_stream_header(stream, ":method", method);
    fake_stream_header(stream, ":path", path);
    if (authority != NULL)
        fake_stream_header(stream, ":authority", authority);
    fake_stream_header(stream, ":scheme", "http");
    fake_stream_request_headers(stream, end);
}

/* Envoy prepares a local reply inside a decode hook and sends it afterwards. */
static void leave_request_hook(struct fake_stream *stream)
{
    stream->in_request_hook = false;
    if (stream->prepared_status == 0)
        return;
    int status = stream->prepared_status;
    stream->prepared_status = 0;
    fake_stream_send_reply(stream, status, stream->prepared_head, stream->prepared_body);
}

void fake_stream_request_headers(struct fake_stream *stream, bool end)
{
    stream->in_request_hook = true;
    enum envoy_headers_status status =
        envoy_dynamic_module_on_http_filter_request_headers(stream, stream->filter, end);
    if (status != ENVOY_HEADERS_STOP)
        atomic_fetch_add(&fake_violations, 1);
    leave_request_hook(stream);
}

enum envoy_body_status fake_stream_request_body(struct fake_stream *stream, const char *data,
                                                size_t length, bool end)
{
    fake_bytes_append(&stream->received, data, length);
    stream->in_request_hook = true;
    enum envoy_body_status status =
        envoy_dynamic_module_on_http_filter_request_body(stream, stream->filter, end);
    if (status == ENVOY_BODY_STOP_AND_WATERMARK)
        fake_bytes_append(&stream->buffered, stream->received.data, stream->received.length);
    else
        fake_bytes_append(&stream->discarded, stream->received.data, stream->received.length);
    bytes_clear(&stream->received);
    leave_request_hook(stream);
    return status;
}

void fake_stream_request_trailers(struct fake_stream *stream)
{
    stream->in_request_hook = true;
    envoy_dynamic_module_on_http_filter_request_trailers(stream, stream->filter);
    leave_request_hook(stream);
}

/* ---- Watermarks ---- */

static void drained(struct fake_stream *stream, size_t bytes)
{
    stream->unread -= bytes < stream->unread ? bytes : stream->unread;
    if (!stream->above || stream->unread > stream->high_mark / 2)
        return;
    stream->above = false;
    envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(stream,
                                                                                    stream->filter);
}

void fake_stream_filled(struct fake_stream *stream, size_t bytes)
{
    stream->unread += bytes;
    if (stream->high_mark == 0 || stream->above || stream->unread <= stream->high_mark)
        return;
    stream->above = true;
    envoy_dynamic_module_on_http_filter_downstream_above_write_buffer_high_watermark(
        stream, stream->filter);
    if (stream->drains_in_send)
        drained(stream, stream->unread);
}

void fake_stream_client_reads(struct fake_stream *stream, size_t bytes)
{
    drained(stream, bytes);
}

/* ---- Ends ---- */

void fake_stream_complete(struct fake_stream *stream)
{
    if (stream->completed)
        return;
    stream->completed = true;
    envoy_dynamic_module_on_http_filter_stream_complete(stream, stream->filter);
    if (stream->destroy_inline) {
        destroy(stream);
        return;
    }
    stream->deferred_next = stream->worker->deferred;
    stream->worker->deferred = stream;
}

void fake_stream_ended(struct fake_stream *stream)
{
    stream->ended = true;
    if (!stream->zombie)
        fake_stream_complete(stream);
}

void fake_stream_disconnect(struct fake_stream *stream)
{
    stream->flags |= ENVOY_FLAG_DOWNSTREAM_TERMINATION;
    fake_stream_reset(stream, "downstream_remote_disconnect");
}

void fake_stream_reset(struct fake_stream *stream, const char *details)
{
    stream->details = details;
    fake_stream_complete(stream);
}

void fake_stream_send_reply(struct fake_stream *stream, int status, const char *head,
                            const char *body)
{
    struct envoy_view details = {"details", 7};
    if (stream->completed)
        return;
    envoy_dynamic_module_on_http_filter_local_reply(stream, stream->filter, (uint32_t)status,
                                                    details, false);
    if (stream->status != 0) {
        stream->reset = true;
        fake_stream_ended(stream);
        return;
    }
    stream->local_reply = true;
    stream->status = status;
    snprintf(stream->head, sizeof(stream->head), "%s", head);
    envoy_dynamic_module_on_http_filter_response_headers(stream, stream->filter, false);
    envoy_dynamic_module_on_http_filter_response_body(stream, stream->filter, true);
    fake_bytes_append(&stream->body, body, strlen(body));
    fake_stream_ended(stream);
}

void fake_stream_envoy_reply(struct fake_stream *stream, int status)
{
    fake_stream_send_reply(stream, status, "", "from envoy");
}
