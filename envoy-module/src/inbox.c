/* SPDX-License-Identifier: Apache-2.0 */
/* The inbox; see inbox.h for the threads. */
#include "inbox.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "allocation.h"
#include "assertion.h"
#include "monotonic.h"
#include "stream.h"

/* ---- Main ---- */

bool jrv_inbox_init(struct jrv_inbox *inbox)
{
    memset(inbox, 0, sizeof(*inbox));
    inbox->stop.event.kind = JRV_EVENT_STOP;
    inbox->wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return inbox->wake_descriptor >= 0;
}

static void free_chain(struct jrv_inbox_node *node)
{
    while (node != NULL) {
        struct jrv_inbox_node *next = node->next;
        free(node);
        node = next;
    }
}

void jrv_inbox_destroy(struct jrv_inbox *inbox)
{
    struct jrv_event event;
    while (jrv_inbox_poll(inbox, &event, 1) > 0) {
    }
    free_chain(inbox->handed);
    inbox->handed = NULL;
    close(inbox->wake_descriptor);
}

/* ---- Any thread ---- */

static void write_wake(int descriptor)
{
    uint64_t one = 1;
    /* EAGAIN means that the counter is full, so the descriptor is readable: as good as written. */
    while (write(descriptor, &one, sizeof(one)) < 0 && errno == EINTR) {
    }
}

static void wake(struct jrv_inbox *inbox)
{
    /* The plain load keeps the line shared while the owner runs; the exchange elects one writer. */
    if (atomic_load(&inbox->sleeping) != 0 && atomic_exchange(&inbox->sleeping, 0) != 0)
        write_wake(inbox->wake_descriptor);
}

bool jrv_inbox_push(struct jrv_inbox *inbox, struct jrv_inbox_node *node)
{
    struct jrv_inbox_node *head = atomic_load_explicit(&inbox->head, memory_order_relaxed);
    do {
        node->next = head;
    } while (!atomic_compare_exchange_weak(&inbox->head, &head, node));
    /* seq_cst here pairs with jrv_inbox_sleep(): either the owner sees the node, or we see that it
     * sleeps. */
    return atomic_load(&inbox->sleeping) != 0;
}

void jrv_inbox_wake(struct jrv_inbox *inbox)
{
    /* Somebody else's wake may have let the owner take it all. */
    if (atomic_load(&inbox->head) != NULL)
        wake(inbox);
}

void jrv_inbox_post(struct jrv_inbox *inbox, struct jrv_inbox_node *node)
{
    if (jrv_inbox_push(inbox, node))
        wake(inbox);
}

void jrv_inbox_stop(struct jrv_inbox *inbox)
{
    if (atomic_exchange(&inbox->stop_posted, 1) == 0)
        jrv_inbox_post(inbox, &inbox->stop);
}

uint64_t jrv_inbox_turn_ns(struct jrv_inbox *inbox, uint64_t now)
{
    uint64_t began = atomic_load_explicit(&inbox->turn_began, memory_order_relaxed);
    /* The owner may have begun a turn after the caller looked at the clock. */
    return began != 0 && began < now ? now - began : 0;
}

struct jrv_inbox_node *jrv_inbox_node_new(enum jrv_event_kind kind, uint64_t size, char **bytes)
{
    struct jrv_inbox_node *node = jrv_allocate(sizeof(*node) + size);
    node->event = (struct jrv_event){.kind = kind, .size = size};
    *bytes = (char *)(node + 1);
    node->event.data = (uint64_t)(uintptr_t)*bytes;
    return node;
}

/* ---- Owner ---- */

static void begin_turn(struct jrv_inbox *inbox)
{
    if (inbox->timed)
        atomic_store_explicit(&inbox->turn_began, jrv_monotonic_now_ns(), memory_order_relaxed);
}

static void take(struct jrv_inbox *inbox)
{
    if (atomic_load_explicit(&inbox->head, memory_order_relaxed) == NULL)
        return;
    struct jrv_inbox_node *node = atomic_exchange(&inbox->head, NULL);
    while (node != NULL) {
        struct jrv_inbox_node *next = node->next;
        node->next = inbox->taken;
        inbox->taken = node;
        node = next;
    }
}

/* Fills *event; false when there is nothing to tell: a credit that an earlier one has covered. */
static bool hand_out(struct jrv_inbox *inbox, struct jrv_inbox_node *node, struct jrv_event *event)
{
    *event = node->event;
    switch ((enum jrv_event_kind)node->event.kind) {
    case JRV_EVENT_NEW:
    case JRV_EVENT_BODY:
    case JRV_EVENT_TRAILERS:
        node->next = inbox->handed;
        inbox->handed = node;
        return true;
    case JRV_EVENT_CREDIT:
        event->size = jrv_stream_credit_event_polled(node);
        return event->size > 0;
    case JRV_EVENT_CLOSED:
        jrv_stream_closed_event_polled(node);
        return true;
    case JRV_EVENT_STOP:
        return true;
    }
    JRV_ASSERT(false && "known event kind");
    return false;
}

int32_t jrv_inbox_poll(struct jrv_inbox *inbox, struct jrv_event *events, int32_t capacity)
{
    free_chain(inbox->handed);
    inbox->handed = NULL;
    begin_turn(inbox);
    int32_t count = 0;
    while (count < capacity) {
        if (inbox->taken == NULL)
            take(inbox);
        struct jrv_inbox_node *node = inbox->taken;
        if (node == NULL)
            break;
        /* Before the node is handed out: after that it may be reused at once. */
        inbox->taken = node->next;
        if (hand_out(inbox, node, &events[count]))
            count++;
    }
    return count;
}

bool jrv_inbox_sleep(struct jrv_inbox *inbox)
{
    atomic_store(&inbox->sleeping, 1);
    if (inbox->taken == NULL && atomic_load(&inbox->head) == NULL) {
        atomic_store_explicit(&inbox->turn_began, 0, memory_order_relaxed);
        return true;
    }
    atomic_store(&inbox->sleeping, 0);
    return false;
}

void jrv_inbox_awake(struct jrv_inbox *inbox)
{
    atomic_store(&inbox->sleeping, 0);
    begin_turn(inbox);
    /* Always read: a producer that cleared the flag late may have written after the last read. */
    uint64_t count;
    while (read(inbox->wake_descriptor, &count, sizeof(count)) < 0 && errno == EINTR) {
    }
}
