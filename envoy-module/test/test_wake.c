/* SPDX-License-Identifier: Apache-2.0 */
/* When new requests wake a sleeping owner. The test is worker and owner; then many workers against
 * one owner that sleeps whenever it can. */
#include "wake.h"

#include <poll.h>
#include <pthread.h>

#include "check.h"
#include "fake_envoy.h"
#include "owner.h"

#define STREAMS 12
#define WORKERS 3
#define ROUNDS 300
#define REQUESTS 5

static struct test_app app;
static struct fake_worker *worker;
static struct fake_stream *streams[STREAMS];

static void fall_asleep(void)
{
    CHECK_EQUAL(0, owner_poll(&app).kind);
    CHECK(jrv_inbox_sleep(&app.app.inboxes[0]));
}

/* The next stream that has had no request. */
static int fresh;

static void request(void)
{
    fake_stream_request(streams[fresh++], "GET", "/", "a.test", true);
}

static void begin_alone(void)
{
    test_app_init(&app, WORKERS * STREAMS, 1024);
    worker = fake_worker_new(0);
    for (int i = 0; i < STREAMS; i++)
        streams[i] = fake_stream_new(worker, &app.config);
    fresh = 0;
}

/* The owner has a request already, and sleeps. */
static void begin(void)
{
    begin_alone();
    request();
    CHECK_EQUAL(JRV_EVENT_NEW, owner_poll(&app).kind);
    fall_asleep();
}

static void finish(void)
{
    struct jrv_event event;
    for (int i = 0; i < STREAMS; i++)
        if (!streams[i]->completed)
            fake_stream_disconnect(streams[i]);
    while ((event = owner_poll(&app)).kind != 0)
        if (event.kind == JRV_EVENT_CLOSED)
            owner_release(event.stream);
    fake_worker_free(worker);
    for (int i = 0; i < STREAMS; i++)
        fake_stream_release(streams[i]);
    CHECK_EQUAL(0, atomic_exchange(&fake_violations, 0));
    test_app_destroy(&app);
}

static bool woken(uint32_t owner)
{
    struct pollfd descriptor = {app.app.inboxes[owner].wake_descriptor, POLLIN, 0};
    return poll(&descriptor, 1, 0) == 1;
}

static void requests_of_one_turn_wake_once(void)
{
    begin();
    int commits = atomic_load(&fake_commits);
    request();
    request();
    CHECK(!woken(0));
    CHECK_EQUAL(commits + 1, atomic_load(&fake_commits));
    CHECK_EQUAL(1, fake_worker_run(worker));
    CHECK(woken(0));
    finish();
}

static void a_lone_request_wakes_at_once(void)
{
    begin_alone();
    fall_asleep();
    int commits = atomic_load(&fake_commits);
    request();
    CHECK(woken(0));
    CHECK_EQUAL(commits, atomic_load(&fake_commits));
    finish();
}

static void enough_requests_wake_at_once(void)
{
    begin();
    int count = 0;
    for (; fresh < STREAMS && !woken(0); count++)
        request();
    CHECK_EQUAL(8, count);
    /* The owner runs now: nothing is held, nothing is scheduled. */
    jrv_inbox_awake(&app.app.inboxes[0]);
    int commits = atomic_load(&fake_commits);
    request();
    CHECK_EQUAL(commits, atomic_load(&fake_commits));
    fake_worker_run(worker);
    CHECK(!woken(0));
    finish();
}

static void a_carrier_that_ends_wakes(void)
{
    begin();
    request();
    request();
    fake_stream_complete(streams[fresh - 2]);
    CHECK(woken(0));
    finish();
}

static void what_the_owner_has_taken_wakes_no_more(void)
{
    begin();
    request();
    /* Another worker's event woke it. */
    jrv_inbox_awake(&app.app.inboxes[0]);
    CHECK_EQUAL(JRV_EVENT_NEW, owner_poll(&app).kind);
    fall_asleep();
    CHECK_EQUAL(1, fake_worker_run(worker));
    CHECK(!woken(0));
    finish();
}

static void another_owner_makes_the_first_wake_due(void)
{
    begin();
    CHECK(jrv_inbox_init(&app.app.inboxes[1]));
    CHECK(jrv_inbox_sleep(&app.app.inboxes[1]));
    request();
    /* All later ones go to the other. */
    app.app.owners = app.app.workers = 2;
    atomic_store(&app.app.inboxes[0].lost, true);
    request();
    CHECK(woken(0));
    CHECK(!woken(1));
    CHECK_EQUAL(2, fake_worker_run(worker));
    CHECK(woken(1));
    app.app.owners = 1;
    struct jrv_event event;
    while (jrv_inbox_poll(&app.app.inboxes[1], &event, 1) > 0)
        owner_release(event.stream);
    finish();
    jrv_inbox_destroy(&app.app.inboxes[1]);
}

/* ---- Many workers ---- */

static void answer_all(struct fake_worker *own, struct fake_stream **own_streams)
{
    int open = REQUESTS;
    while (open > 0) {
        fake_worker_run(own);
        for (int i = 0; i < REQUESTS; i++)
            if (own_streams[i] != NULL && own_streams[i]->completed) {
                fake_stream_release(own_streams[i]);
                own_streams[i] = NULL;
                open--;
            }
    }
}

static void *work(void *argument)
{
    struct fake_worker *own = fake_worker_new((uint32_t)(uintptr_t)argument);
    struct fake_stream *own_streams[REQUESTS];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < REQUESTS; i++) {
            own_streams[i] = fake_stream_new(own, &app.config);
            fake_stream_request(own_streams[i], "GET", "/", "a.test", true);
        }
        /* The carrier leaves before its event, now and then. */
        if (round % 3 == 0)
            fake_stream_disconnect(own_streams[0]);
        answer_all(own, own_streams);
    }
    fake_worker_free(own);
    return NULL;
}

static int answer_next(void)
{
    struct jrv_event event = owner_poll(&app);
    if (event.kind == JRV_EVENT_NEW)
        owner_complete(event.stream, JRV_MESSAGE_RELEASES, "", "200", NULL);
    return event.kind == JRV_EVENT_NEW;
}

static void no_wake_is_lost_under_threads(void)
{
    pthread_t threads[WORKERS];
    struct jrv_inbox *inbox = &app.app.inboxes[0];
    int left = WORKERS * ROUNDS * REQUESTS;
    test_app_init(&app, WORKERS * REQUESTS, 1024);
    for (uintptr_t i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    while (left > 0) {
        struct pollfd descriptor = {inbox->wake_descriptor, POLLIN, 0};
        left -= answer_next();
        if (left > 0 && jrv_inbox_sleep(inbox)) {
            /* A lost wake-up would show as a timeout. */
            CHECK_EQUAL(1, poll(&descriptor, 1, 10000));
            jrv_inbox_awake(inbox);
        }
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(0, atomic_load(&fake_violations));
    test_app_destroy(&app);
}

int main(void)
{
    RUN(requests_of_one_turn_wake_once);
    RUN(a_lone_request_wakes_at_once);
    RUN(enough_requests_wake_at_once);
    RUN(a_carrier_that_ends_wakes);
    RUN(what_the_owner_has_taken_wakes_no_more);
    RUN(another_owner_makes_the_first_wake_due);
    RUN(no_wake_is_lost_under_threads);
    return check_report();
}
