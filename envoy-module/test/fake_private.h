/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the fake host share: fake_envoy.c drives hooks, fake_callbacks.c answers
 * callbacks. */
#ifndef JRV_FAKE_PRIVATE_H
#define JRV_FAKE_PRIVATE_H

#include <pthread.h>

#include "fake_envoy.h"

struct fake_event {
    struct fake_event *next;
    struct fake_stream *stream;
    uint64_t number; /* What the scheduled hook is told. */
};

struct fake_worker {
    uint32_t index;
    pthread_mutex_t lock;
    struct fake_event *first; /* Under the lock. */
    struct fake_event *last;
    struct fake_stream *deferred; /* Worker. */
};

struct fake_scheduler {
    struct fake_stream *stream;
};

void fake_bytes_append(struct fake_bytes *bytes, const char *data, size_t length);
void fake_bytes_drop(struct fake_bytes *bytes, size_t length);
void fake_worker_post(struct fake_worker *worker, struct fake_stream *stream, uint64_t number);
void fake_stream_ref(struct fake_stream *stream);

/* Sends a reply of the host or of send_response, with the hooks that Envoy runs for it. */
void fake_stream_send_reply(struct fake_stream *stream, int status, const char *head,
                            const char *body);

/* Runs the watermark hooks that `bytes` more of response cause. */
void fake_stream_filled(struct fake_stream *stream, size_t bytes);

/* The response has ended: completes the stream unless it is a zombie. */
void fake_stream_ended(struct fake_stream *stream);

#endif
