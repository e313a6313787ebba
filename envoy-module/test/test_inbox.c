/* SPDX-License-Identifier: Apache-2.0 */
/* Order, batches, sleep and wake of the inbox; then many producers against one sleeping owner. */
#include "inbox.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "check.h"

#define PRODUCERS 4
#define EVENTS 5000

static struct jrv_inbox inbox;

static void post(uint64_t stream, const char *text)
{
    char *bytes;
    struct jrv_inbox_node *node = jrv_inbox_node_new(JRV_EVENT_BODY, strlen(text), &bytes);
    memcpy(bytes, text, strlen(text));
    node->event.stream = stream;
    jrv_inbox_post(&inbox, node);
}

static bool readable(void)
{
    struct pollfd descriptor = {inbox.wake_descriptor, POLLIN, 0};
    return poll(&descriptor, 1, 0) == 1;
}

static void keeps_the_order(void)
{
    struct jrv_event events[8];
    CHECK(jrv_inbox_init(&inbox));
    CHECK_EQUAL(0, jrv_inbox_poll(&inbox, events, 8));
    post(1, "a");
    post(2, "bc");
    post(3, "");
    CHECK_EQUAL(2, jrv_inbox_poll(&inbox, events, 2));
    CHECK_EQUAL(1, events[0].stream);
    CHECK_EQUAL(2, events[1].stream);
    CHECK_EQUAL(2, events[1].size);
    CHECK(memcmp((const char *)(uintptr_t)events[1].data, "bc", 2) == 0);
    post(4, "d");
    CHECK_EQUAL(2, jrv_inbox_poll(&inbox, events, 8));
    CHECK_EQUAL(3, events[0].stream);
    CHECK_EQUAL(4, events[1].stream);
    jrv_inbox_destroy(&inbox);
}

static void wakes_only_a_sleeper(void)
{
    struct jrv_event event;
    CHECK(jrv_inbox_init(&inbox));
    post(1, "a");
    CHECK(!readable());
    CHECK(!jrv_inbox_sleep(&inbox));
    CHECK_EQUAL(1, jrv_inbox_poll(&inbox, &event, 1));
    CHECK(jrv_inbox_sleep(&inbox));
    post(2, "b");
    post(3, "c");
    CHECK(readable());
    jrv_inbox_awake(&inbox);
    CHECK(!readable());
    jrv_inbox_destroy(&inbox);
}

static void stop_wakes_a_sleeper_once(void)
{
    struct jrv_event event;
    CHECK(jrv_inbox_init(&inbox));
    CHECK(jrv_inbox_sleep(&inbox));
    jrv_inbox_stop(&inbox);
    CHECK(readable());
    jrv_inbox_awake(&inbox);
    CHECK_EQUAL(1, jrv_inbox_poll(&inbox, &event, 1));
    CHECK_EQUAL(JRV_EVENT_STOP, event.kind);
    CHECK(jrv_inbox_sleep(&inbox));
    jrv_inbox_stop(&inbox);
    CHECK(!readable());
    jrv_inbox_destroy(&inbox);
}

static void *produce(void *argument)
{
    uint64_t producer = (uint64_t)(uintptr_t)argument;
    for (uint64_t i = 0; i < EVENTS; i++) {
        char *bytes;
        struct jrv_inbox_node *node = jrv_inbox_node_new(JRV_EVENT_BODY, sizeof(i), &bytes);
        memcpy(bytes, &i, sizeof(i));
        node->event.stream = producer;
        jrv_inbox_post(&inbox, node);
    }
    return NULL;
}

static void consume(uint64_t *next, int32_t *left)
{
    struct jrv_event events[64];
    int32_t count = jrv_inbox_poll(&inbox, events, 64);
    for (int32_t i = 0; i < count; i++) {
        uint64_t value;
        memcpy(&value, (const char *)(uintptr_t)events[i].data, sizeof(value));
        CHECK_EQUAL(next[events[i].stream], value);
        next[events[i].stream]++;
    }
    *left -= count;
}

static void loses_nothing_under_threads(void)
{
    pthread_t threads[PRODUCERS];
    uint64_t next[PRODUCERS] = {0};
    int32_t left = PRODUCERS * EVENTS;
    CHECK(jrv_inbox_init(&inbox));
    for (uintptr_t i = 0; i < PRODUCERS; i++)
        pthread_create(&threads[i], NULL, produce, (void *)i);
    while (left > 0) {
        consume(next, &left);
        struct pollfd descriptor = {inbox.wake_descriptor, POLLIN, 0};
        if (left > 0 && jrv_inbox_sleep(&inbox)) {
            /* A lost wake-up would show as a timeout. */
            CHECK_EQUAL(1, poll(&descriptor, 1, 10000));
            jrv_inbox_awake(&inbox);
        }
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(threads[i], NULL);
    jrv_inbox_destroy(&inbox);
}

int main(void)
{
    RUN(keeps_the_order);
    RUN(wakes_only_a_sleeper);
    RUN(stop_wakes_a_sleeper_once);
    RUN(loses_nothing_under_threads);
    return check_report();
}
