/* SPDX-License-Identifier: Apache-2.0 */
/* See drain.h. The steps run on the drain thread; completions are called there, or on main once all
 * is over. */
#include "drain.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "exit_now.h"
#include "log.h"
#include "monotonic.h"
#include "register.h"
#include "vm.h"

/* What Java has to stop its owners, run at_exit blocks, and destroy the JVM, beside the drain
 * itself. */
#define STOP_MS 10000

/* Someone who waits for the end. */
struct waiter {
    envoy_completion completion;
    void *context;
    struct waiter *next;
};

static struct {
    pthread_mutex_t lock;
    bool started;
    bool finished;
    struct waiter *waiters;
} drain = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Until the deadline everyone is served; the streams that were there at the signal decide how long.
 */
static void let_streams_end(void)
{
    uint64_t timeout = jrv_register_drain_timeout_ms();
    struct timespec deadline = jrv_monotonic_after(timeout);
    size_t left;

    jrv_register_start_drain();
    jrv_register_wait_quiet(true, &deadline);
    jrv_register_close_gates();
    if (!jrv_register_wait_quiet(false, &deadline)) {
        left = jrv_register_live();
        jrv_log(ENVOY_LOG_WARN,
                "jruvoy: %zu requests are still running after the drain timeout of %llu ms; "
                "they are cut",
                left, (unsigned long long)timeout);
    }
}

static void tell_waiters(void)
{
    struct waiter *waiters;

    pthread_mutex_lock(&drain.lock);
    drain.finished = true;
    waiters = drain.waiters;
    drain.waiters = NULL;
    pthread_mutex_unlock(&drain.lock);
    while (waiters) {
        struct waiter *waiter = waiters;
        waiters = waiter->next;
        waiter->completion(waiter->context);
        free(waiter);
    }
}

static void *leave(void *unused)
{
    (void)unused;
    let_streams_end();
    if (!jrv_vm_stop(STOP_MS))
        jrv_exit_now(1, "jruvoy: Java did not stop within 10 s; ending the process");
    tell_waiters();
    return NULL;
}

static void start(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    error = pthread_create(&thread, &attributes, leave, NULL);
    pthread_attr_destroy(&attributes);
    if (error) {
        leave(NULL);
        return;
    }
    pthread_setname_np(thread, "jruvoy-drain");
}

void jrv_drain_start(envoy_completion completion, void *context)
{
    struct waiter *waiter = calloc(1, sizeof(*waiter));
    bool finished;
    bool first;

    if (!waiter)
        abort();
    *waiter = (struct waiter){completion, context, NULL};
    pthread_mutex_lock(&drain.lock);
    finished = drain.finished;
    first = !drain.started;
    drain.started = true;
    if (!finished) {
        waiter->next = drain.waiters;
        drain.waiters = waiter;
    }
    pthread_mutex_unlock(&drain.lock);
    if (finished) {
        completion(context);
        free(waiter);
    } else if (first) {
        start();
    }
}
