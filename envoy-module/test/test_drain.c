/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving: who is still served, when the gate closes, what the deadline does. Each scenario is a
 * process. */
#include "drain.h"

#include <string.h>
#include <time.h>

#include "check.h"
#include "child.h"
#include "fake_bootstrap.h"
#include "filter_config.h"
#include "monotonic.h"
#include "stand_in_jvm.h"

static struct jrv_filter_config *config;
static uint8_t generation;

static void wait_ms(long milliseconds)
{
    const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};

    nanosleep(&pause, NULL);
}

static bool is_completed(void)
{
    return atomic_load(&fake_completions) > 0;
}

static bool is_ready(void)
{
    return jrv_admission_gate(&config->own->admission) == JRV_GATE_OPEN;
}

static bool gate_is_closed(void)
{
    return jrv_admission_gate(&config->own->admission) == JRV_GATE_CLOSED;
}

/* A server with one app that is ready. */
static void start(const char *json)
{
    CHECK(fake_bootstrap_new("{}") != NULL);
    config = fake_filter_config_new("a", json);
    CHECK(config != NULL);
    fake_bootstrap_initialized();
    CHECK(fake_main_run_until(is_ready));
}

static enum jrv_admit enter(void)
{
    return jrv_admission_enter(&config->own->admission, &generation);
}

static void leave(uint8_t of)
{
    jrv_admission_leave(&config->own->admission, of);
}

static void idle(void)
{
    uint64_t began;

    start("{\"rackup\": \"good.ru\"}");
    began = jrv_monotonic_now_ms();
    fake_bootstrap_shutdown();
    CHECK(fake_main_run_until(is_completed));
    CHECK(jrv_monotonic_now_ms() - began < 3000);
    CHECK_EQUAL(JRV_ADMIT_NOT_OPEN, enter());
    CHECK_EQUAL(1, atomic_load(&stand_in_ends));
}

static void old_streams_end_while_new_are_served(void)
{
    start("{\"rackup\": \"good.ru\"}");
    CHECK_EQUAL(JRV_ADMIT_YES, enter());
    CHECK_EQUAL(0, generation);
    fake_bootstrap_shutdown();
    wait_ms(50);
    CHECK_EQUAL(JRV_ADMIT_YES, enter());
    CHECK_EQUAL(1, generation);
    CHECK(!gate_is_closed());

    leave(0);
    CHECK(fake_main_run_until(gate_is_closed));
    CHECK_EQUAL(JRV_ADMIT_NOT_OPEN, enter());
    wait_ms(50);
    CHECK(!is_completed());
    leave(1);
    CHECK(fake_main_run_until(is_completed));
}

static void deadline_cuts(void)
{
    uint64_t began;

    start("{\"rackup\": \"good.ru\", \"drain_timeout\": \"100ms\"}");
    CHECK_EQUAL(JRV_ADMIT_YES, enter());
    began = jrv_monotonic_now_ms();
    fake_bootstrap_shutdown();
    CHECK(fake_main_run_until(is_completed));
    CHECK(jrv_monotonic_now_ms() - began >= 100);
    CHECK(gate_is_closed());
}

static void second_signal_waits_for_the_same_end(void)
{
    start("{\"rackup\": \"good.ru\"}");
    CHECK_EQUAL(JRV_ADMIT_YES, enter());
    fake_bootstrap_shutdown();
    wait_ms(4);
    fake_bootstrap_shutdown();
    wait_ms(50);
    CHECK_EQUAL(0, atomic_load(&fake_completions));
    leave(0);
    CHECK(fake_main_run_until(is_completed));
    wait_ms(50);
    CHECK_EQUAL(2, atomic_load(&fake_completions));
    fake_bootstrap_shutdown();
    CHECK_EQUAL(3, atomic_load(&fake_completions));
    CHECK_EQUAL(1, atomic_load(&stand_in_runs));
    CHECK_EQUAL(1, atomic_load(&stand_in_ends));
}

static void test_idle(void)
{
    CHECK_EQUAL(0, child_run(idle));
}

static void test_old_streams_end_while_new_are_served(void)
{
    CHECK_EQUAL(0, child_run(old_streams_end_while_new_are_served));
}

static void test_deadline_cuts(void)
{
    CHECK_EQUAL(0, child_run(deadline_cuts));
}

static void test_second_signal_waits_for_the_same_end(void)
{
    CHECK_EQUAL(0, child_run(second_signal_waits_for_the_same_end));
}

int main(void)
{
    stand_in_folder();
    RUN(test_idle);
    RUN(test_old_streams_end_while_new_are_served);
    RUN(test_deadline_cuts);
    RUN(test_second_signal_waits_for_the_same_end);
    return check_report();
}
