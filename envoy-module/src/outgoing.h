/* SPDX-License-Identifier: Apache-2.0 */
/* One message of the owner as C keeps it: checked and laid out for Envoy by the owner, so that the
 * worker only sends.
 *
 * Made on the owner, used and freed on the worker (or by whoever discards it).
 */
#ifndef JRV_OUTGOING_H
#define JRV_OUTGOING_H

#include <stdbool.h>
#include <stdint.h>

#include "envoy_abi.h"
#include "layout.h"

struct jrv_outgoing {
    struct jrv_outgoing *next;
    enum jrv_message_kind kind;
    enum jrv_end_reason reason; /* RESET: why. */
    uint16_t status;            /* HEAD and COMPLETE. */
    bool end;                   /* Nothing of the response follows. */
    bool legal; /* Its bytes are what HTTP allows; otherwise the stream is aborted. */
    uint32_t header_count;
    struct envoy_view body; /* Inline bytes follow the headers; others belong to Java. */
    struct envoy_header headers[];
};

/* A copy of `message`, which is HEAD, COMPLETE, DATA, TRAILERS or RESET. Counts the body of a DATA
 * in the process's budget. Never NULL. Owner. */
struct jrv_outgoing *jrv_outgoing_copy(const struct jrv_message *message);

/* A RESET for `reason`. Any thread. */
struct jrv_outgoing *jrv_outgoing_reset(enum jrv_end_reason reason);

/* Its body has been sent apart from it and leaves the budget. Worker. */
void jrv_outgoing_forget_body(struct jrv_outgoing *outgoing);

/* Frees it and takes its body out of the budget. Any thread. */
void jrv_outgoing_free(struct jrv_outgoing *outgoing);

/* Frees it and all that follow. Any thread. */
void jrv_outgoing_free_chain(struct jrv_outgoing *first);

#endif
