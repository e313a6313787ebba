/* SPDX-License-Identifier: Apache-2.0 */
/* One app, one worker and one stream for tests that need no more. One thread. */
#ifndef JRV_EXCHANGE_H
#define JRV_EXCHANGE_H

#include "fake_envoy.h"
#include "owner.h"

struct exchange {
    struct test_app app;
    struct fake_worker *worker;
    struct fake_stream *stream;
    uint64_t id; /* The owner's handle; 0 before exchange_request(). */
};

/* An app with a window of `window_bytes` and a stream without a request. */
void exchange_begin(struct exchange *exchange, uint64_t window_bytes);

/* The request and its NEW event. `end`: no body follows. */
void exchange_request(struct exchange *exchange, const char *method, bool end);

/* Runs the worker until it has nothing to do. */
void exchange_run(struct exchange *exchange);

/* Takes CLOSED, checks its reason, releases. */
void exchange_expect_closed(struct exchange *exchange, enum jrv_end_reason reason);

/* Frees all and checks that nothing is left: events, slots, bytes, illegal calls. */
void exchange_finish(struct exchange *exchange);

#endif
