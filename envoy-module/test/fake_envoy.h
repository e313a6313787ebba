/* SPDX-License-Identifier: Apache-2.0 */
/* A host for the module's HTTP filter: exports Envoy's callbacks and drives the hooks the way Envoy
 * does.
 *
 * Each stream belongs to the worker (thread) that made it; schedulers may be committed from
 * anywhere. Like Envoy, sends with an end run stream_complete before they return, watermark hooks
 * run inside sends, and a local reply asked for in a request hook is sent after that hook.
 */
#ifndef JRV_FAKE_ENVOY_H
#define JRV_FAKE_ENVOY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "envoy_abi.h"

struct fake_worker;

struct fake_bytes {
    char *data; /* NUL-terminated for comparisons; NULL when empty. */
    size_t length;
};

struct fake_stream {
    /* ---- Set by tests before the hooks that use them ---- */
    const char *protocol;     /* "HTTP/1.1" */
    const char *address;      /* "192.0.2.7:4711" */
    const char *tls;          /* NULL: plain. */
    const char *server_name;  /* SNI. */
    const char *peer_subject; /* Of its certificate. */
    bool destroy_inline;      /* As 1.39 does; else from the deferred list, as 1.40 does. */
    bool zombie;              /* An end completes the stream later: fake_stream_complete(). */
    size_t high_mark;         /* Above it the watermark hook runs; 0: never. */
    bool drains_in_send;      /* The client reads all inside the send that went above the mark. */
    bool answers_heads;       /* Envoy answers 502 by itself when it is given a head. */
    bool disconnects_in_send; /* The client goes away inside the next send. */

    /* ---- Seen by tests ---- */
    int status;                  /* Of the head, or of a local reply. */
    char head[4096];             /* "name: value\n" for each header. */
    char trailers[4096];         /* The same. */
    struct fake_bytes body;      /* What was sent. */
    struct fake_bytes buffered;  /* Request bytes that the module left with us. */
    struct fake_bytes discarded; /* Request bytes that the module did not want. */
    bool local_reply;            /* The response was ours (send_response or Envoy's own). */
    bool ended;
    bool reset;
    bool completed;
    bool destroyed;
    int scheduled_hooks;

    /* ---- The host's own ---- */
    struct fake_worker *worker;
    void *filter;
    struct fake_bytes received;
    struct envoy_header request_headers[256];
    size_t request_header_count;
    struct envoy_header request_trailers[16];
    size_t request_trailer_count;
    uint64_t flags;
    const char *details;
    size_t unread; /* Response bytes that the client has not read. */
    bool above;
    bool in_request_hook;
    int prepared_status; /* Local reply to be sent after the hook; 0: none. */
    char prepared_head[256];
    char prepared_body[256];
    struct fake_stream *deferred_next;
    _Atomic int references;
    _Atomic bool dead;
};

/* Illegal calls of the module, of all streams: sends after an end, data before a head, use of a
 * dead scheduler. */
extern _Atomic int fake_violations;

/* Commits of schedulers so far. */
extern _Atomic int fake_commits;

/* ---- Workers ---- */

struct fake_worker *fake_worker_new(uint32_t index);

/* Runs what was committed and destroys what is deferred; returns how many scheduled hooks ran. */
int fake_worker_run(struct fake_worker *worker);

/* Runs what was committed, without the deferred destructions. */
int fake_worker_run_scheduled(struct fake_worker *worker);

void fake_worker_free(struct fake_worker *worker);

/* ---- Streams; on the worker's thread ---- */

/* Runs the hook `new` with `config`. The test holds a reference: fake_stream_release(). */
struct fake_stream *fake_stream_new(struct fake_worker *worker, void *config);
void fake_stream_release(struct fake_stream *stream);

/* Adds a header to the request to come; the texts must live as long as the stream. */
void fake_stream_header(struct fake_stream *stream, const char *name, const char *value);
void fake_stream_trailer(struct fake_stream *stream, const char *name, const char *value);

/* The usual four pseudo headers, then the hook. */
void fake_stream_request(struct fake_stream *stream, const char *method, const char *path,
                         const char *authority, bool end);

/* The hook alone, with the headers added so far. */
void fake_stream_request_headers(struct fake_stream *stream, bool end);
enum envoy_body_status fake_stream_request_body(struct fake_stream *stream, const char *data,
                                                size_t length, bool end);
void fake_stream_request_trailers(struct fake_stream *stream);

/* The client reads `bytes` of the response; below the half of the mark the hook runs. */
void fake_stream_client_reads(struct fake_stream *stream, size_t bytes);

/* The client goes away. */
void fake_stream_disconnect(struct fake_stream *stream);

/* Envoy resets with these details: stream_complete, then destroy. */
void fake_stream_reset(struct fake_stream *stream, const char *details);

/* Envoy answers by itself (a timeout, a bad request): local_reply and response hooks, end. */
void fake_stream_envoy_reply(struct fake_stream *stream, int status);

/* stream_complete, then destroy as configured. */
void fake_stream_complete(struct fake_stream *stream);

#endif
