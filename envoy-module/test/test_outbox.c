/* SPDX-License-Identifier: Apache-2.0 */
/* Workers and an owner at full speed: requests, bodies, aborts and releases race; nothing is lost,
 * leaked or sent twice. Under ThreadSanitizer this is the proof of the commit that races with
 * teardown.
 */
#include <poll.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "fake_envoy.h"
#include "natives.h"
#include "owner.h"

#define WORKERS 3
#define STREAMS 1500
#define CONCURRENT 8

static struct test_app app;
static _Atomic int working;
static _Atomic int answered;
static _Atomic int aborted;

/* ---- Workers ---- */

/* Small and deterministic, so that a failure can be repeated. */
static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

static struct fake_stream *start(struct fake_worker *worker, unsigned *random)
{
    struct fake_stream *stream = fake_stream_new(worker, &app.config);
    bool has_body = next_random(random) % 3 == 0;
    stream->destroy_inline = next_random(random) % 2 == 0;
    stream->high_mark = next_random(random) % 4 == 0 ? 8 : 0;
    fake_stream_request(stream, has_body ? "POST" : "GET", "/", "a.test", !has_body);
    if (has_body && !stream->completed)
        fake_stream_request_body(stream, "0123456789", 10, false);
    if (has_body && !stream->completed)
        fake_stream_request_body(stream, "abc", 3, next_random(random) % 2 == 0);
    return stream;
}

/* True when the stream is over. */
static bool step(struct fake_stream *stream, unsigned *random)
{
    if (!stream->completed && stream->above)
        fake_stream_client_reads(stream, 1000);
    if (!stream->completed && next_random(random) % 40 == 0)
        fake_stream_disconnect(stream);
    if (!stream->completed)
        return false;
    atomic_fetch_add(stream->ended && stream->status == 200 ? &answered : &aborted, 1);
    fake_stream_release(stream);
    return true;
}

static void *work(void *argument)
{
    unsigned random = (unsigned)(uintptr_t)argument;
    struct fake_worker *worker = fake_worker_new(random);
    struct fake_stream *streams[CONCURRENT] = {NULL};
    int started = 0;
    int open = 0;
    while (started < STREAMS || open > 0) {
        for (int i = 0; i < CONCURRENT; i++) {
            if (streams[i] == NULL && started < STREAMS) {
                streams[i] = start(worker, &random);
                started++;
                open++;
            }
            if (streams[i] != NULL && step(streams[i], &random)) {
                streams[i] = NULL;
                open--;
            }
        }
        if (fake_worker_run(worker) == 0)
            sched_yield();
    }
    fake_worker_free(worker);
    atomic_fetch_sub(&working, 1);
    return NULL;
}

/* ---- Owner ---- */

/* Streams that the owner has not released. */
static uint64_t held[WORKERS * CONCURRENT];

static void hold(uint64_t stream)
{
    for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
        if (held[i] == 0) {
            held[i] = stream;
            return;
        }
    CHECK(!"a place");
}

/* CLOSED may still arrive after a release that was under way: then there is nothing to do. */
static void on_closed(const struct jrv_event *event)
{
    CHECK(event->flags != JRV_END_NONE);
    for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
        if (held[i] == event->stream) {
            held[i] = 0;
            owner_release(event->stream);
        }
}

static void answer(uint64_t stream, unsigned *random)
{
    static const char body[] = "chunk of a body";
    switch (next_random(random) % 6) {
    case 0:
        owner_reset(stream, JRV_MESSAGE_RELEASES, JRV_END_APP_ERROR);
        break;
    case 1:
        owner_head(stream, 0, "200", NULL);
        owner_data_by_reference(stream, 0, body, sizeof(body) - 1);
        owner_data_by_reference(stream, JRV_MESSAGE_END_STREAM, body, sizeof(body) - 1);
        hold(stream);
        break;
    case 2:
        owner_head(stream, 0, "200", NULL);
        owner_trailers(stream, JRV_MESSAGE_RELEASES, "a", "b", NULL);
        break;
    case 3:
        owner_complete(stream, 0, body, "200", NULL);
        hold(stream);
        break;
    case 4:
        owner_credit(stream, 0);
        owner_release(stream);
        break;
    default:
        owner_complete(stream, JRV_MESSAGE_RELEASES, body, "200", NULL);
    }
}

static void on_event(const struct jrv_event *event, unsigned *random)
{
    if (event->kind == JRV_EVENT_NEW)
        answer(event->stream, random);
    else if (event->kind == JRV_EVENT_CLOSED)
        on_closed(event);
}

static void sleep_a_little(int64_t inbox)
{
    struct pollfd descriptor = {jruvoy_native_wake_descriptor(inbox), POLLIN, 0};
    if (jruvoy_native_sleep(inbox) == 1) {
        poll(&descriptor, 1, 5);
        jruvoy_native_awake(inbox);
    }
}

static void own(void)
{
    int64_t inbox = (int64_t)(intptr_t)&app.app.inboxes[0];
    struct jrv_event events[16];
    unsigned random = 99;
    int32_t count = 0;
    do {
        count = jruvoy_native_poll(inbox, (int64_t)(intptr_t)events, 16);
        for (int32_t i = 0; i < count; i++)
            on_event(&events[i], &random);
        if (count == 0)
            sleep_a_little(inbox);
    } while (count > 0 || atomic_load(&working) > 0 || jrv_admission_live(&app.app.admission) > 0);
}

static void everything_at_once(void)
{
    pthread_t threads[WORKERS];
    test_app_init(&app, 16, 8);
    atomic_store(&working, WORKERS);
    for (uintptr_t i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    own();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    CHECK(atomic_load(&answered) > 0);
    CHECK(atomic_load(&aborted) > 0);
    CHECK_EQUAL(WORKERS * STREAMS, atomic_load(&answered) + atomic_load(&aborted));
    CHECK_EQUAL(0, atomic_load(&fake_violations));
    test_app_destroy(&app);
}

int main(void)
{
    RUN(everything_at_once);
    return check_report();
}
