/* SPDX-License-Identifier: Apache-2.0 */
/* The app_* functions and next_app of natives.h: what Java is told about apps and tells us. VM and
 * owner threads. */
#include <string.h>

#include "bootstrap.h"
#include "exit_now.h"
#include "log.h"
#include "natives.h"
#include "register_private.h"

/* What one line may carry of a message that Java made. */
#define MESSAGE_BYTES 1200

static struct jrv_app *app_of(int64_t handle)
{
    return (struct jrv_app *)(intptr_t)handle;
}

static struct jrv_app *first_queued(void)
{
    struct jrv_app *app = jrv_register.apps;

    while (app && !app->queued)
        app = app->next;
    return app;
}

int64_t jruvoy_native_next_app(void)
{
    struct jrv_app *app = NULL;

    jrv_register_lock();
    while (!jrv_register.ended && !(app = first_queued()))
        pthread_cond_wait(&jrv_register.changed, &jrv_register.lock);
    if (jrv_register.ended) {
        app = NULL;
    } else {
        app->queued = false;
        app->handed = true;
        app->refs++;
    }
    jrv_register_unlock();
    return (int64_t)(intptr_t)app;
}

int64_t jruvoy_native_app_settings(int64_t app)
{
    return (int64_t)(intptr_t)app_of(app)->settings;
}

int64_t jruvoy_native_app_inbox(int64_t app, int32_t index)
{
    return (int64_t)(intptr_t)&app_of(app)->inboxes[index];
}

/* Every filter config that waited for this app sends it its requests; the apps that stood in may
 * stop. */
static void take_over(struct jrv_app *app)
{
    for (struct jrv_filter_config *config = jrv_register.configs; config; config = config->next) {
        struct jrv_app *before = jrv_filter_config_app(config);
        if (config->own == app && before != app) {
            atomic_store(&config->serving, app);
            jrv_register_drop_user(before);
        }
    }
}

void jruvoy_native_app_ready(int64_t handle)
{
    struct jrv_app *app = app_of(handle);

    jrv_register_lock();
    if (app->state == JRV_APP_LOADING) {
        app->state = JRV_APP_READY;
        if (!jrv_register.gates_closed)
            jrv_admission_set_gate(&app->admission, JRV_GATE_OPEN);
        take_over(app);
    }
    jrv_register_unlock_and_tell();
    jrv_bootstrap_apps_changed();
}

void jruvoy_native_app_failed(int64_t handle, const char *message)
{
    struct jrv_app *app = app_of(handle);
    struct jrv_fault fault;
    bool awaited;

    jrv_fault_set(&fault, "cannot load %.300s: %.*s", app->rackup, MESSAGE_BYTES, message);
    if (jrv_bootstrap_starting())
        jrv_exit_now(1, fault.line);
    jrv_register_lock();
    awaited = app->awaited;
    if (app->state == JRV_APP_LOADING || app->state == JRV_APP_READY)
        jrv_register_fail(app);
    jrv_register_unlock();
    if (awaited) {
        jrv_log_must_see(fault.line);
    } else {
        jrv_log(ENVOY_LOG_ERROR, "%s", fault.line);
    }
    /* Those who wait go on once the line is out. */
    jrv_register_lock();
    jrv_register_unlock_and_tell();
    jrv_bootstrap_apps_changed();
}

/* How many owners of an app are not lost. */
static uint32_t owners_left(struct jrv_app *app)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < app->owners; i++)
        left += atomic_load(&app->inboxes[i].lost) ? 0 : 1;
    return left;
}

void jruvoy_native_owner_lost(int64_t handle, int32_t index)
{
    struct jrv_app *app = app_of(handle);
    uint32_t left;

    jrv_register_lock();
    atomic_store(&app->inboxes[index].lost, true);
    left = owners_left(app);
    if (left == 0 && app->state == JRV_APP_READY)
        jrv_register_fail(app);
    jrv_register_unlock_and_tell();
    if (left > 0) {
        jrv_log(ENVOY_LOG_ERROR,
                "jruvoy: the app %s has lost one of its owners; it goes on with %u of %u",
                app->rackup, left, app->owners);
    } else {
        jrv_log(ENVOY_LOG_ERROR,
                "jruvoy: the app %s has ended by itself; it answers 503 from now on", app->rackup);
    }
}

void jruvoy_native_app_stopped(int64_t handle)
{
    struct jrv_app *app = app_of(handle);

    jrv_register_lock();
    if (app->state != JRV_APP_FAILED) {
        jrv_register_fail(app);
        app->state = JRV_APP_STOPPED;
    }
    app->handed = false;
    jrv_register_drop_ref(app);
    jrv_register_unlock_and_tell();
}
