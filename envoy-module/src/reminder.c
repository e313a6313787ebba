/* SPDX-License-Identifier: Apache-2.0 */
/* Reminders; see reminder.h. Its own thread, and any that sets one. */
#include "reminder.h"

#include <pthread.h>
#include <signal.h>

#include "allocation.h"
#include "monotonic.h"
#include "stream.h"

#define STACK_BYTES (128u * 1024u)

struct reminder {
    struct jrv_stream *stream;
    uint64_t moment;
    struct reminder *next;
};

static struct {
    pthread_mutex_t lock;
    /* All below: under the lock. */
    pthread_cond_t changed;
    struct reminder *first; /* The earliest. */
    struct reminder *last;  /* Only while there is a first. */
    bool running;
} reminders = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Under the lock. Waits until the first one is due, and takes it. */
static struct reminder *take_due(void)
{
    for (;;) {
        struct reminder *first = reminders.first;
        uint64_t now = jrv_monotonic_now_ms();
        if (first == NULL) {
            pthread_cond_wait(&reminders.changed, &reminders.lock);
        } else if (first->moment > now) {
            struct timespec due = jrv_monotonic_after(first->moment - now);
            pthread_cond_timedwait(&reminders.changed, &reminders.lock, &due);
        } else {
            reminders.first = first->next;
            return first;
        }
    }
}

static void *run(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&reminders.lock);
        struct reminder *due = take_due();
        pthread_mutex_unlock(&reminders.lock);
        jrv_outbox_recommit(&due->stream->outbox);
        jrv_stream_unref(due->stream);
        free(due);
    }
    return NULL;
}

/* Under the lock. Signals of the process are Envoy's. */
static bool start(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;

    if (reminders.running)
        return true;
    jrv_monotonic_condition_init(&reminders.changed);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    reminders.running = pthread_create(&thread, &attributes, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (reminders.running)
        pthread_setname_np(thread, "jruvoy-reminder");
    else
        pthread_cond_destroy(&reminders.changed);
    return reminders.running;
}

/* Under the lock. All are set for the same span, so that later ones are due later. */
static void append(struct reminder *reminder)
{
    reminder->next = NULL;
    if (reminders.first == NULL)
        reminders.first = reminder;
    else
        reminders.last->next = reminder;
    reminders.last = reminder;
}

bool jrv_reminder_set(struct jrv_stream *stream, uint64_t moment)
{
    pthread_mutex_lock(&reminders.lock);
    bool running = start();
    if (running) {
        struct reminder *reminder = jrv_allocate(sizeof(*reminder));
        jrv_stream_ref(stream);
        reminder->stream = stream;
        reminder->moment = moment;
        append(reminder);
        if (reminders.first == reminder)
            pthread_cond_signal(&reminders.changed);
    }
    pthread_mutex_unlock(&reminders.lock);
    return running;
}
