/* SPDX-License-Identifier: Apache-2.0 */
/* The outbox; see outbox.h for the threads. */
#include "outbox.h"

#include <string.h>

#include "assertion.h"
#include "envoy_abi.h"

static void commit_locked(struct jrv_outbox *outbox)
{
    if (outbox->committed || outbox->scheduler == NULL)
        return;
    outbox->committed = true;
    envoy_dynamic_module_callback_http_filter_scheduler_commit(outbox->scheduler,
                                                               JRV_SCHEDULED_OUTBOX);
}

void jrv_outbox_batch_add(struct jrv_outbox_batch *batch, struct jrv_outgoing *outgoing)
{
    outgoing->next = NULL;
    if (batch->last != NULL)
        batch->last->next = outgoing;
    else
        batch->first = outgoing;
    batch->last = outgoing;
}

/* ---- Worker ---- */

void jrv_outbox_init(struct jrv_outbox *outbox)
{
    memset(outbox, 0, sizeof(*outbox));
    /* Adaptive: the worker often comes while the owner is still inside the commit that woke it, so
     * a short spin saves two system calls. */
    outbox->lock = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
    outbox->closed = true;
}

void jrv_outbox_open(struct jrv_outbox *outbox, void *scheduler)
{
    /* No lock: the owner does not know the stream yet; posting NEW publishes this. */
    outbox->scheduler = scheduler;
    outbox->closed = false;
}

void jrv_outbox_schedule(struct jrv_outbox *outbox, uint64_t event)
{
    /* No lock: only the worker closes the outbox. */
    envoy_dynamic_module_callback_http_filter_scheduler_commit(outbox->scheduler, event);
}

void jrv_outbox_take(struct jrv_outbox *outbox, struct jrv_outbox_batch *batch)
{
    pthread_mutex_lock(&outbox->lock);
    batch->first = outbox->first;
    batch->last = outbox->last;
    batch->credit = outbox->credit;
    batch->released = outbox->released;
    outbox->first = NULL;
    outbox->last = NULL;
    outbox->credit = 0;
    outbox->committed = false;
    pthread_mutex_unlock(&outbox->lock);
}

void jrv_outbox_recommit(struct jrv_outbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    commit_locked(outbox);
    pthread_mutex_unlock(&outbox->lock);
}

void jrv_outbox_close(struct jrv_outbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    void *scheduler = outbox->scheduler;
    struct jrv_outgoing *first = outbox->first;
    outbox->scheduler = NULL;
    outbox->first = NULL;
    outbox->last = NULL;
    outbox->credit = 0;
    outbox->closed = true;
    pthread_mutex_unlock(&outbox->lock);
    if (scheduler != NULL)
        envoy_dynamic_module_callback_http_filter_scheduler_delete(scheduler);
    jrv_outgoing_free_chain(first);
}

void jrv_outbox_unless_released(struct jrv_outbox *outbox, void (*say)(void *context),
                                void *context)
{
    pthread_mutex_lock(&outbox->lock);
    if (!outbox->released)
        say(context);
    pthread_mutex_unlock(&outbox->lock);
}

/* ---- Owner ---- */

static bool ends(const struct jrv_outbox_batch *batch)
{
    for (const struct jrv_outgoing *it = batch->first; it != NULL; it = it->next)
        if (it->end)
            return true;
    return false;
}

static void put_locked(struct jrv_outbox *outbox, struct jrv_outbox_batch *batch)
{
    outbox->ending |= ends(batch);
    if (batch->released && !outbox->ending)
        jrv_outbox_batch_add(batch, jrv_outgoing_reset(JRV_END_APP_ERROR));
    if (batch->first != NULL) {
        if (outbox->last != NULL)
            outbox->last->next = batch->first;
        else
            outbox->first = batch->first;
        outbox->last = batch->last;
    }
    outbox->credit += batch->credit;
    if (batch->first != NULL || batch->credit > 0)
        commit_locked(outbox);
}

void jrv_outbox_put(struct jrv_outbox *outbox, struct jrv_outbox_batch *batch)
{
    pthread_mutex_lock(&outbox->lock);
    JRV_ASSERT(!outbox->released);
    bool accepted = !outbox->closed;
    if (accepted)
        put_locked(outbox, batch);
    outbox->released |= batch->released;
    pthread_mutex_unlock(&outbox->lock);
    if (!accepted)
        jrv_outgoing_free_chain(batch->first);
}

/* ---- The last reference ---- */

void jrv_outbox_destroy(struct jrv_outbox *outbox)
{
    jrv_outgoing_free_chain(outbox->first);
    pthread_mutex_destroy(&outbox->lock);
}
