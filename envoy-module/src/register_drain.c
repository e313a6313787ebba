/* SPDX-License-Identifier: Apache-2.0 */
/* See register.h: how all apps leave together. Any thread, under the register's lock. */
#include "register_private.h"

void jrv_register_start_drain(void)
{
    jrv_register_lock();
    for (struct jrv_app *app = jrv_register.apps; app; app = app->next)
        jrv_admission_start_drain(&app->admission);
    jrv_register_unlock();
}

static void close_gates(void)
{
    jrv_register.gates_closed = true;
    for (struct jrv_app *app = jrv_register.apps; app; app = app->next)
        jrv_admission_set_gate(&app->admission, JRV_GATE_CLOSED);
}

void jrv_register_close_gates(void)
{
    jrv_register_lock();
    close_gates();
    jrv_register_unlock();
}

static size_t live(bool before_drain)
{
    size_t streams = 0;

    for (struct jrv_app *app = jrv_register.apps; app; app = app->next) {
        streams += before_drain ? jrv_admission_live_before_drain(&app->admission)
                                : jrv_admission_live(&app->admission);
    }
    return streams;
}

bool jrv_register_wait_quiet(bool before_drain, const struct timespec *deadline)
{
    bool quiet;

    jrv_register_lock();
    while (live(before_drain) > 0) {
        if (pthread_cond_timedwait(&jrv_register.changed, &jrv_register.lock, deadline) != 0)
            break;
    }
    quiet = live(before_drain) == 0;
    jrv_register_unlock();
    return quiet;
}

size_t jrv_register_live(void)
{
    size_t streams;

    jrv_register_lock();
    streams = live(false);
    jrv_register_unlock();
    return streams;
}

uint64_t jrv_register_drain_timeout_ms(void)
{
    uint64_t longest = 0;

    jrv_register_lock();
    for (struct jrv_app *app = jrv_register.apps; app; app = app->next) {
        if (app->drain_timeout_ms > longest)
            longest = app->drain_timeout_ms;
    }
    jrv_register_unlock();
    return longest;
}

void jrv_register_end(void)
{
    jrv_register_lock();
    jrv_register.ended = true;
    close_gates();
    jrv_register_unlock_and_tell();
}

bool jrv_register_ended(void)
{
    bool ended;

    jrv_register_lock();
    ended = jrv_register.ended;
    jrv_register_unlock();
    return ended;
}

void jrv_register_lose_all(void)
{
    jrv_register_lock();
    jrv_register.lost = true;
    for (struct jrv_app *app = jrv_register.apps; app; app = app->next) {
        if (app->state == JRV_APP_LOADING || app->state == JRV_APP_READY)
            jrv_register_fail(app);
    }
    jrv_register_unlock_and_tell();
}

void jrv_apps_quiet(void)
{
    jrv_register_lock();
    for (struct jrv_app *app = jrv_register.apps; app; app = app->next)
        jrv_register_stop_when_quiet(app);
    jrv_register_unlock_and_tell();
}
