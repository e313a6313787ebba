/* SPDX-License-Identifier: Apache-2.0 */
/* What the owner has for one stream's worker: messages, request credit and the last word, behind a
 * short lock.
 *
 * One scheduler commit per filling. The lock is held across that commit: this is what keeps a
 * commit from racing with the end of the stream. No other callback is made under it.
 */
#ifndef JRV_OUTBOX_H
#define JRV_OUTBOX_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "outgoing.h"

/* What the scheduled hook is called for: the owner has filled the outbox, or a wake is due
 * (wake.h). */
enum { JRV_SCHEDULED_OUTBOX = 0, JRV_SCHEDULED_WAKE = 1 };

struct jrv_outbox {
    pthread_mutex_t lock;
    /* All below: under the lock. */
    void *scheduler;            /* NULL before open and after close. */
    struct jrv_outgoing *first; /* Oldest. */
    struct jrv_outgoing *last;
    uint64_t credit; /* Request bytes that the app consumed since the last take. */
    bool committed;  /* A commit is on its way to the worker. */
    bool closed;     /* Nothing is accepted any more. */
    bool released;   /* The owner has said its last word. */
    bool ending;     /* A message that ends the response has been accepted. */
};

/* What goes in with one put and comes out with one take. The chain belongs to whoever holds the
 * batch. */
struct jrv_outbox_batch {
    struct jrv_outgoing *first;
    struct jrv_outgoing *last;
    uint64_t credit;
    bool released; /* The owner's last word is in it, or has been before. */
};

/* Appends to a batch that is not in an outbox. */
void jrv_outbox_batch_add(struct jrv_outbox_batch *batch, struct jrv_outgoing *outgoing);

/* ---- Worker ---- */

/* Valid, but refuses everything until opened. */
void jrv_outbox_init(struct jrv_outbox *outbox);

/* Accepts messages from now on and owns `scheduler`. */
void jrv_outbox_open(struct jrv_outbox *outbox, void *scheduler);

/* Has Envoy call the scheduled hook with `event` when the worker has run what is ready now. Open.
 */
void jrv_outbox_schedule(struct jrv_outbox *outbox, uint64_t event);

/* Takes all there is; the next message commits again. */
void jrv_outbox_take(struct jrv_outbox *outbox, struct jrv_outbox_batch *batch);

/* Frees the contents and the scheduler; everything sent from now on is discarded. */
void jrv_outbox_close(struct jrv_outbox *outbox);

/* Calls `say(context)` under the lock unless the owner has released the stream. `say` makes no
 * callback. */
void jrv_outbox_unless_released(struct jrv_outbox *outbox, void (*say)(void *context),
                                void *context);

/* ---- Owner, or any thread that holds the stream ---- */

/* Appends what the batch holds and commits if the outbox was empty; when closed, discards it. With
 * `released` the owner is done: an open response that has not been ended is aborted. */
void jrv_outbox_put(struct jrv_outbox *outbox, struct jrv_outbox_batch *batch);

/* ---- Any thread that holds the stream ---- */

/* Commits the scheduler without a message, so that the worker looks again outside of the present
 * hook. */
void jrv_outbox_recommit(struct jrv_outbox *outbox);

/* ---- Whoever holds the last reference ---- */

void jrv_outbox_destroy(struct jrv_outbox *outbox);

#endif
