/* SPDX-License-Identifier: Apache-2.0 */
/* Which owner takes a stream: its worker's own, unless that one is held or lost. The test is
 * workers and owners. */
#include "placement.h"

#include <time.h>

#include "check.h"
#include "fake_envoy.h"
#include "owner.h"

static struct test_app app;
static struct fake_worker *workers[4];
static struct fake_stream *streams[4];

static void begin(uint32_t owners, uint32_t worker_count)
{
    test_app_init(&app, 4, 1024);
    app.app.owners = owners;
    app.app.workers = worker_count;
    for (uint32_t i = 0; i < owners; i++) {
        if (i > 0)
            CHECK(jrv_inbox_init(&app.app.inboxes[i]));
        app.app.inboxes[i].timed = owners > 1;
    }
    for (uint32_t i = 0; i < 4; i++) {
        workers[i] = fake_worker_new(i);
        streams[i] = fake_stream_new(workers[i], &app.config);
    }
}

static void finish(void)
{
    for (uint32_t i = 0; i < 4; i++) {
        fake_stream_complete(streams[i]);
        fake_stream_release(streams[i]);
        fake_worker_free(workers[i]);
    }
    for (uint32_t i = 1; i < app.app.owners; i++)
        jrv_inbox_destroy(&app.app.inboxes[i]);
    app.app.owners = 1;
    test_app_destroy(&app);
}

/* The index of the owner that a worker's next stream goes to. */
static long owner_for(uint32_t worker)
{
    return jrv_placement_inbox(&app.app, streams[worker]) - app.app.inboxes;
}

/* The owner takes what has arrived and is at it for longer than a stream should wait. */
static void hold(uint32_t owner)
{
    struct jrv_event event;
    struct timespec time = {0, 2 * (long)JRV_PLACEMENT_HELD_NS};

    jrv_inbox_poll(&app.app.inboxes[owner], &event, 1);
    nanosleep(&time, NULL);
}

static void each_worker_has_its_owner(void)
{
    begin(2, 4);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQUAL(i % 2, owner_for(i));
    CHECK_EQUAL(1, owner_for(1));
    finish();
}

static void a_worker_with_several_owners_takes_them_in_turn(void)
{
    unsigned seen[5] = {0};
    begin(5, 2);
    for (uint32_t i = 0; i < 6; i++)
        seen[owner_for(0)]++;
    for (uint32_t i = 0; i < 4; i++)
        seen[owner_for(1)]++;
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQUAL(2, seen[i]);
    finish();
}

static void a_worker_with_several_owners_prefers_a_sleeper(void)
{
    begin(2, 1);
    CHECK(jrv_inbox_sleep(&app.app.inboxes[1]));
    CHECK_EQUAL(1, owner_for(0));
    CHECK_EQUAL(1, owner_for(0));
    finish();
}

static void a_held_owner_is_passed_over(void)
{
    struct jrv_event event;
    begin(2, 2);
    hold(0);
    CHECK_EQUAL(1, owner_for(0));
    hold(1);
    CHECK_EQUAL(1, owner_for(1));
    /* The next turn: it is held no more. */
    jrv_inbox_poll(&app.app.inboxes[0], &event, 1);
    CHECK_EQUAL(0, owner_for(1));
    finish();
}

/* Both are at it, one of them for much longer: that one may be at it for ever. */
static void of_held_owners_the_one_that_is_held_briefly_is_taken(void)
{
    begin(2, 2);
    hold(0);
    hold(1);
    CHECK_EQUAL(0, owner_for(0));
    for (uint32_t i = 0; i < 40; i++)
        hold(1);
    CHECK_EQUAL(1, owner_for(0));
    CHECK_EQUAL(1, owner_for(1));
    finish();
}

static void a_sleeper_is_not_held_and_comes_first(void)
{
    begin(3, 3);
    hold(0);
    CHECK_EQUAL(1, owner_for(0));
    CHECK(jrv_inbox_sleep(&app.app.inboxes[2]));
    CHECK_EQUAL(2, owner_for(0));
    CHECK(jrv_inbox_sleep(&app.app.inboxes[0]));
    CHECK_EQUAL(0, owner_for(0));
    jrv_inbox_awake(&app.app.inboxes[0]);
    CHECK_EQUAL(0, owner_for(0));
    finish();
}

static void a_lost_owner_gets_nothing(void)
{
    begin(2, 2);
    atomic_store(&app.app.inboxes[0].lost, true);
    hold(1);
    CHECK_EQUAL(1, owner_for(0));
    finish();
}

int main(void)
{
    RUN(each_worker_has_its_owner);
    RUN(a_worker_with_several_owners_takes_them_in_turn);
    RUN(a_worker_with_several_owners_prefers_a_sleeper);
    RUN(a_held_owner_is_passed_over);
    RUN(of_held_owners_the_one_that_is_held_briefly_is_taken);
    RUN(a_sleeper_is_not_held_and_comes_first);
    RUN(a_lost_owner_gets_nothing);
    return check_report();
}
