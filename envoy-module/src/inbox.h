/* SPDX-License-Identifier: Apache-2.0 */
/* The inbox of one owner: events from many workers, taken in batches. Lock-free, no system call
 * while the owner runs.
 *
 * Producers push onto a stack that the owner takes whole and reverses, so the events of one
 * producer stay in order.
 */
#ifndef JRV_INBOX_H
#define JRV_INBOX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "layout.h"

/* An event on its way. NEW, BODY and TRAILERS: one malloc with the bytes behind it, freed by the
 * poll after the one that hands it out. CREDIT and CLOSED: part of the stream, holding a reference.
 * STOP: part of the inbox. */
struct jrv_inbox_node {
    struct jrv_inbox_node *next;
    struct jrv_event event;
};

struct jrv_inbox {
    /* Workers push; the owner takes. On one cache line because a producer touches all three. */
    _Atomic(struct jrv_inbox_node *) head;
    _Atomic uint32_t sleeping; /* 1 from sleep() until the first producer, or awake(), clears it. */
    int wake_descriptor;       /* Constant after init. */
    bool timed;                /* Constant once the app is made: turn_began is kept. */
    _Atomic bool lost;         /* Set by the owner, read by workers: no new stream shall come. */
    char padding[64];          /* Keeps the owner's pointers off the producers' line. */
    /* Written by the owner, read by workers, on jrv_monotonic_now_ns(): when the owner last took
     * what had arrived; 0 while it sleeps. Of an inbox that is not timed always 0. */
    _Atomic uint64_t turn_began;
    /* Owner. */
    struct jrv_inbox_node *taken;  /* Reversed, not handed out yet. */
    struct jrv_inbox_node *handed; /* Handed out by the last poll; freed by the next. */
    /* Main or VM thread. */
    struct jrv_inbox_node stop;
    _Atomic uint32_t stop_posted;
};

/* ---- Main ---- */

/* False when the process has no descriptor left. */
bool jrv_inbox_init(struct jrv_inbox *inbox);

/* Frees what was never polled and closes the descriptor. Nobody may post or poll any more. */
void jrv_inbox_destroy(struct jrv_inbox *inbox);

/* ---- Any thread ---- */

/* Hands `node` over; it belongs to the inbox until polled. Writes the wake descriptor if the owner
 * sleeps. */
void jrv_inbox_post(struct jrv_inbox *inbox, struct jrv_inbox_node *node);

/* The same in two steps. Push: true when the owner sleeps, so that the caller owes it a wake. Wake:
 * does nothing when the owner has taken what was pushed. */
bool jrv_inbox_push(struct jrv_inbox *inbox, struct jrv_inbox_node *node);
void jrv_inbox_wake(struct jrv_inbox *inbox);

/* Posts STOP, once; later calls do nothing. */
void jrv_inbox_stop(struct jrv_inbox *inbox);

/* For how many nanoseconds at `now` the owner has been at what it took last; 0 when it sleeps or
 * the inbox is not timed. */
uint64_t jrv_inbox_turn_ns(struct jrv_inbox *inbox, uint64_t now);

/* A node of `kind` with room for `size` bytes, which go to *bytes. One malloc; never NULL. */
struct jrv_inbox_node *jrv_inbox_node_new(enum jrv_event_kind kind, uint64_t size, char **bytes);

/* ---- Owner ---- */

/* As jruvoy_native_poll(), _sleep(), _awake() in natives.h. */
int32_t jrv_inbox_poll(struct jrv_inbox *inbox, struct jrv_event *events, int32_t capacity);
bool jrv_inbox_sleep(struct jrv_inbox *inbox);
void jrv_inbox_awake(struct jrv_inbox *inbox);

#endif
