/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshot of a request's head (or of its trailers) in one flat allocation, ready to be posted.
 * Worker, in a hook.
 *
 * Pseudo headers become fields, the rest the table, in the order of arrival. A `proxy` header is
 * left out: as HTTP_PROXY it would be taken for configuration.
 */
#ifndef JRV_REQUEST_RECORD_H
#define JRV_REQUEST_RECORD_H

#include <stdbool.h>
#include <stdint.h>

struct jrv_inbox_node;

/* What the worker itself wants to know of the head. */
struct jrv_request_facts {
    bool head_only;          /* The method is HEAD. */
    bool upgrade;            /* An upgrade or extended CONNECT. */
    bool tunnel;             /* A CONNECT that names no protocol: the client wants a proxy. */
    bool http1;              /* HTTP/1.0 or HTTP/1.1. */
    uint64_t content_length; /* UINT64_MAX when it tells none. */
};

/* A NEW event without stream and flags; NULL when the request must be refused: as a tunnel, or for
 * its authority. Owned by the caller: free() it or post it. */
struct jrv_inbox_node *jrv_request_record_new(void *envoy, struct jrv_request_facts *facts);

/* A TRAILERS event without stream. Owned by the caller. */
struct jrv_inbox_node *jrv_request_record_trailers(void *envoy);

#endif
