/* SPDX-License-Identifier: Apache-2.0 */
/* An answer whose end is there before the request's, on HTTP/1. Worker.
 *
 * Envoy closes such a connection, and a client that is still sending then may see a reset instead
 * of the answer. So what ends the answer is kept back while the rest of the request, which nobody
 * wants, is thrown away: until it has ended, more than JRV_EARLY_ANSWER_BYTES of it have come (or
 * are announced), or the client has been silent for too long.
 */
#ifndef JRV_EARLY_ANSWER_H
#define JRV_EARLY_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

struct jrv_request_facts;
struct jrv_stream;

/* Most bytes of a request that are thrown away for the sake of its connection. */
#define JRV_EARLY_ANSWER_BYTES (1024u * 1024u)

struct jrv_early_answer {
    bool possible;      /* HTTP/1, a body, and no upgrade, whose request does not end. */
    bool waiting;       /* The end was kept back: what comes of the request is thrown away. */
    uint64_t announced; /* The request's content-length; UINT64_MAX: it told none. */
    uint64_t received;  /* Body bytes that came. */
    uint64_t unwanted;  /* Of these, those that came while waiting. */
    uint64_t look_at;   /* When to look at a client that may be silent; monotonic ms. */
    uint64_t looked;    /* `unwanted` at the last look. */
    uint32_t looks;
};

/* `end`: the request has no body. */
void jrv_early_answer_init(struct jrv_early_answer *early, const struct jrv_request_facts *facts,
                           bool end);

/* In the scheduled hook, with the end of the answer at hand: true when it must be kept back.
 * Something will run the hook again. */
bool jrv_early_answer_wait(struct jrv_stream *stream);

/* In a body or trailers hook: `bytes` more came; `end`: the last. True when they are unwanted. */
bool jrv_early_answer_received(struct jrv_stream *stream, uint64_t bytes, bool end);

/* How long a client may be silent; 1000 unless told. For tests. Before the first stream. */
void jrv_early_answer_set_patience(uint64_t milliseconds);

#endif
