/* SPDX-License-Identifier: Apache-2.0 */
/* Request body and trailers on their way to the owner: copied and drained as far as the credit
 * goes, in order, one end. What has no credit stays in Envoy, which then stops the client. Worker.
 */
#ifndef JRV_REQUEST_BODY_H
#define JRV_REQUEST_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "credit.h"

struct jrv_inbox_node;
struct jrv_stream;

struct jrv_request_body {
    struct jrv_request_credit credit;
    struct jrv_inbox_node *trailers; /* Came before all of the body was handed over. May be NULL. */
    bool complete;                   /* Envoy has all of it. */
    bool end_posted;                 /* The owner knows the end. */
};

/* `complete`: the request has no body. */
void jrv_request_body_init(struct jrv_request_body *body, uint64_t window, bool complete);

/* In the body hook: a chunk was received; `end`: the last. */
void jrv_request_body_received(struct jrv_stream *stream, bool end);

/* In the trailers hook. */
void jrv_request_body_trailers(struct jrv_stream *stream);

/* In the scheduled hook: the app consumed `bytes`. */
void jrv_request_body_granted(struct jrv_stream *stream, uint64_t bytes);

/* The stream is over. */
void jrv_request_body_close(struct jrv_request_body *body);

#endif
