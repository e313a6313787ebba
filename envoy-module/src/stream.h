/* SPDX-License-Identifier: Apache-2.0 */
/* One exchange: a request of a client and its response. Identity, references, state and end.
 *
 * References: the worker's (from `new` to `destroy`), the owner's (from NEW to its release), and
 * one per CREDIT or CLOSED event that is queued. The admission slot is given back when the owner
 * has released and Envoy has completed the stream, whichever is later.
 */
#ifndef JRV_STREAM_H
#define JRV_STREAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "app.h"
#include "credit.h"
#include "early_answer.h"
#include "end_reason.h"
#include "inbox.h"
#include "outbox.h"
#include "request_body.h"
#include "response.h"

/* Moves forward only. */
enum jrv_stream_state {
    JRV_STREAM_FRESH = 0,     /* Made by Envoy; no request was seen, and perhaps none will be. */
    JRV_STREAM_WAITING = 1,   /* The owner has it; no response head yet. */
    JRV_STREAM_STREAMING = 2, /* The response head went to Envoy. */
    JRV_STREAM_ENDED =
        3, /* End, reset or local reply went to Envoy: nothing may be sent any more. */
    JRV_STREAM_CLOSED = 4 /* stream_complete has run. */
};

struct jrv_stream {
    /* Any thread. */
    _Atomic uint32_t references;
    _Atomic uint32_t slot_holders; /* Of owner and Envoy, those not done yet. */
    struct jrv_outbox outbox;

    /* Constant from NEW on. Any thread that holds a reference. */
    struct jrv_app *app;
    struct jrv_inbox *inbox;
    uint8_t generation; /* Of its slot. */

    /* Worker. */
    void *envoy; /* Only inside hooks. */
    enum jrv_stream_state state;
    enum jrv_end_reason end;
    bool admitted;
    bool close_due;   /* stream_complete ran inside a send: CLOSED is posted once that send has
                         returned. */
    uint32_t sending; /* Depth of our calls into Envoy that send. */
    struct jrv_request_body request_body;
    struct jrv_response response;
    struct jrv_early_answer early_answer;
    pthread_t worker_thread; /* For assertions. */

    /* Written by the worker, taken by the owner: bytes for the CREDIT event that is or will be
     * queued. */
    _Atomic uint64_t credit_bytes;
    _Atomic uint32_t credit_queued;
    struct jrv_inbox_node credit_event;
    struct jrv_inbox_node closed_event;
};

/* ---- Worker, inside a hook ---- */

/* A stream of `app` with the worker's reference. Never NULL. */
struct jrv_stream *jrv_stream_new(struct jrv_app *app, void *envoy);

/* The request's head has come: admits and hands it to the owner, or answers itself. `end`: it has
 * no body. */
void jrv_stream_begin(struct jrv_stream *stream, bool end);

/* Applies what the owner has sent. Envoy may complete and destroy the stream inside. */
void jrv_stream_apply_outbox(struct jrv_stream *stream);

/* Envoy answers by itself: nothing of ours may follow. */
void jrv_stream_replied(struct jrv_stream *stream);

/* Envoy is done with the stream. */
void jrv_stream_complete(struct jrv_stream *stream);

/* Moves the state forward; false (and an assertion) when that is not forward. */
bool jrv_stream_advance(struct jrv_stream *stream, enum jrv_stream_state state);

/* Notes how it ended; the first reason stays. */
void jrv_stream_end(struct jrv_stream *stream, enum jrv_end_reason reason);

/* Brackets each call that may send. After leave the stream may be CLOSED. */
void jrv_stream_enter_send(struct jrv_stream *stream);
void jrv_stream_leave_send(struct jrv_stream *stream);

/* Tells the owner that `bytes` of response body are Envoy's now. */
void jrv_stream_post_credit(struct jrv_stream *stream, uint64_t bytes);

/* ---- Owner, or any thread that holds the stream ---- */

/* The owner's last word, as far as counts go: its slot share and its reference. The outbox has been
 * told. */
void jrv_stream_owner_done(struct jrv_stream *stream);

/* The inbox hands the event out: returns the bytes it covers, and drops its reference. Owner. */
uint64_t jrv_stream_credit_event_polled(struct jrv_inbox_node *node);

/* The inbox hands the event out: drops its reference. Owner. */
void jrv_stream_closed_event_polled(struct jrv_inbox_node *node);

/* ---- Any thread ---- */

void jrv_stream_ref(struct jrv_stream *stream);
void jrv_stream_unref(struct jrv_stream *stream);

#endif
