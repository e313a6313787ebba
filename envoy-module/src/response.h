/* SPDX-License-Identifier: Apache-2.0 */
/* The response on its way to Envoy: in legal order, once each, and not while the client's buffer is
 * above its watermark. Worker.
 */
#ifndef JRV_RESPONSE_H
#define JRV_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include "credit.h"
#include "outgoing.h"

struct jrv_stream;

struct jrv_response {
    struct jrv_outgoing *first; /* Taken from the outbox, not sent yet; oldest. */
    struct jrv_outgoing *last;
    struct jrv_response_credit credit;
    uint32_t above; /* Watermark level: above minus below. */
    bool head_only; /* The request's method is HEAD: body bytes are never sent. */
};

void jrv_response_init(struct jrv_response *response, uint64_t window);

/* Appends a chain to what is to be sent. */
void jrv_response_enqueue(struct jrv_response *response, struct jrv_outgoing *first,
                          struct jrv_outgoing *last);

/* Sends what may be sent. In the scheduled hook only: Envoy may complete and destroy the stream
 * inside. */
void jrv_response_send(struct jrv_stream *stream);

/* The stream is over: frees what was not sent. */
void jrv_response_discard(struct jrv_response *response);

#endif
