/* SPDX-License-Identifier: Apache-2.0 */
/* Slots, gate and generations, alone and under threads. */
#include "admission.h"

#include <pthread.h>

#include "check.h"

#define THREADS 4
#define ROUNDS 20000

static struct jrv_admission admission;

static void starts_not_ready(void)
{
    uint8_t generation;
    jrv_admission_init(&admission, 2);
    CHECK_EQUAL(JRV_GATE_NOT_READY, jrv_admission_gate(&admission));
    CHECK_EQUAL(JRV_ADMIT_NOT_OPEN, jrv_admission_enter(&admission, &generation));
    CHECK_EQUAL(0, jrv_admission_live(&admission));
}

static void counts_slots_to_the_limit(void)
{
    uint8_t first;
    uint8_t second;
    uint8_t third;
    jrv_admission_init(&admission, 2);
    jrv_admission_set_gate(&admission, JRV_GATE_OPEN);
    CHECK_EQUAL(JRV_ADMIT_YES, jrv_admission_enter(&admission, &first));
    CHECK_EQUAL(JRV_ADMIT_YES, jrv_admission_enter(&admission, &second));
    CHECK_EQUAL(JRV_ADMIT_FULL, jrv_admission_enter(&admission, &third));
    CHECK_EQUAL(2, jrv_admission_live(&admission));
    jrv_admission_leave(&admission, first);
    CHECK_EQUAL(JRV_ADMIT_YES, jrv_admission_enter(&admission, &third));
    jrv_admission_leave(&admission, second);
    jrv_admission_leave(&admission, third);
    CHECK_EQUAL(0, jrv_admission_live(&admission));
    CHECK_EQUAL(1, jrv_admission_refused(&admission, JRV_ADMIT_FULL));
}

static void drain_tells_old_from_new(void)
{
    uint8_t old;
    uint8_t new;
    jrv_admission_init(&admission, 2);
    jrv_admission_set_gate(&admission, JRV_GATE_OPEN);
    jrv_admission_enter(&admission, &old);
    jrv_admission_start_drain(&admission);
    jrv_admission_enter(&admission, &new);
    CHECK_EQUAL(1, jrv_admission_live_before_drain(&admission));
    CHECK_EQUAL(2, jrv_admission_live(&admission));
    CHECK_EQUAL(JRV_ADMIT_FULL, jrv_admission_enter(&admission, &new));
    jrv_admission_leave(&admission, old);
    CHECK_EQUAL(0, jrv_admission_live_before_drain(&admission));
    jrv_admission_set_gate(&admission, JRV_GATE_CLOSED);
    CHECK_EQUAL(JRV_GATE_CLOSED, jrv_admission_gate(&admission));
    CHECK_EQUAL(JRV_ADMIT_NOT_OPEN, jrv_admission_enter(&admission, &old));
    jrv_admission_leave(&admission, new);
    CHECK_EQUAL(0, jrv_admission_live(&admission));
}

static _Atomic bool closed;
static _Atomic int after_close;

static void *come_and_go(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t generation;
        bool was_closed = atomic_load(&closed);
        if (jrv_admission_enter(&admission, &generation) != JRV_ADMIT_YES)
            continue;
        if (was_closed)
            atomic_fetch_add(&after_close, 1);
        CHECK(jrv_admission_live(&admission) <= THREADS);
        jrv_admission_leave(&admission, generation);
    }
    return NULL;
}

static void holds_under_threads(void)
{
    pthread_t threads[THREADS];
    jrv_admission_init(&admission, THREADS);
    jrv_admission_set_gate(&admission, JRV_GATE_OPEN);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, come_and_go, NULL);
    for (int i = 0; i < 100; i++)
        jrv_admission_start_drain(&admission);
    jrv_admission_set_gate(&admission, JRV_GATE_CLOSED);
    atomic_store(&closed, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(0, jrv_admission_live(&admission));
    CHECK_EQUAL(0, atomic_load(&after_close));
}

int main(void)
{
    RUN(starts_not_ready);
    RUN(counts_slots_to_the_limit);
    RUN(drain_tells_old_from_new);
    RUN(holds_under_threads);
    return check_report();
}
