/* SPDX-License-Identifier: Apache-2.0 */
/* See register.h: apps and the filter configs that use them. Any thread, under one lock. */
#include "register_private.h"

#include <string.h>

#include "monotonic.h"

struct jrv_register jrv_register = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void prepare(void)
{
    jrv_monotonic_condition_init(&jrv_register.changed);
}

void jrv_register_lock(void)
{
    pthread_once(&prepared, prepare);
    pthread_mutex_lock(&jrv_register.lock);
}

void jrv_register_unlock(void)
{
    pthread_mutex_unlock(&jrv_register.lock);
}

void jrv_register_unlock_and_tell(void)
{
    pthread_cond_broadcast(&jrv_register.changed);
    pthread_mutex_unlock(&jrv_register.lock);
}

/* ---- One app, under the lock ---- */

static void unlink_app(struct jrv_app *app)
{
    struct jrv_app **at = &jrv_register.apps;

    while (*at != app)
        at = &(*at)->next;
    *at = app->next;
}

void jrv_register_drop_ref(struct jrv_app *app)
{
    if (--app->refs == 0) {
        unlink_app(app);
        jrv_app_free(app);
    }
}

/* Java gets STOP once the last stream of an unused app has ended. */
void jrv_register_stop_when_quiet(struct jrv_app *app)
{
    if (app->state == JRV_APP_STOPPING && app->handed && jrv_admission_live(&app->admission) == 0) {
        for (uint32_t i = 0; i < app->owners; i++)
            jrv_inbox_stop(&app->inboxes[i]);
    }
}

void jrv_register_drop_user(struct jrv_app *app)
{
    if (--app->users > 0)
        return;
    app->queued = false;
    jrv_admission_set_gate(&app->admission, JRV_GATE_CLOSED);
    if (app->state != JRV_APP_STOPPED)
        app->state = JRV_APP_STOPPING;
    jrv_register_stop_when_quiet(app);
}

void jrv_register_fail(struct jrv_app *app)
{
    app->state = JRV_APP_FAILED;
    app->queued = false;
    jrv_admission_set_gate(&app->admission, JRV_GATE_CLOSED);
}

/* ---- Filter configs ---- */

static struct jrv_app *find_equal(const struct jrv_app *candidate)
{
    for (struct jrv_app *app = jrv_register.apps; app; app = app->next) {
        bool usable = app->state == JRV_APP_LOADING || app->state == JRV_APP_READY;
        if (usable && strcmp(app->settings, candidate->settings) == 0)
            return app;
    }
    return NULL;
}

static struct jrv_app *find_previous(const struct jrv_filter_config *config)
{
    for (struct jrv_filter_config *other = jrv_register.configs; other; other = other->next) {
        struct jrv_app *app = jrv_filter_config_app(other);
        if (app->state == JRV_APP_READY && strcmp(other->name, config->name) == 0)
            return app;
    }
    return NULL;
}

static void append(struct jrv_app *app)
{
    struct jrv_app **at = &jrv_register.apps;

    while (*at)
        at = &(*at)->next;
    *at = app;
    app->queued = true;
}

static void use(struct jrv_app *app)
{
    app->users++;
    app->refs++;
}

bool jrv_register_join(struct jrv_filter_config *config, struct jrv_app *candidate, bool update,
                       struct jrv_fault *fault)
{
    struct jrv_app *own;

    jrv_register_lock();
    if (jrv_register.ended || jrv_register.lost) {
        jrv_register_unlock();
        jrv_app_free(candidate);
        return jrv_fault_set(fault, "the JVM of this process has ended and cannot start again; "
                                    "restart Envoy");
    }
    own = find_equal(candidate);
    if (!own)
        append(own = candidate);
    use(own);
    config->own = own;
    config->previous = update && own->state != JRV_APP_READY ? find_previous(config) : NULL;
    if (config->previous)
        use(config->previous);
    atomic_store(&config->serving, config->previous ? config->previous : own);
    config->next = jrv_register.configs;
    jrv_register.configs = config;
    jrv_register_unlock_and_tell();
    if (own != candidate)
        jrv_app_free(candidate);
    return true;
}

size_t jrv_register_leave(struct jrv_filter_config *config)
{
    struct jrv_filter_config **at = &jrv_register.configs;
    size_t left = 0;

    jrv_register_lock();
    while (*at != config)
        at = &(*at)->next;
    *at = config->next;
    for (struct jrv_filter_config *other = jrv_register.configs; other; other = other->next)
        left++;
    if (config->previous) {
        if (jrv_filter_config_app(config) == config->previous)
            jrv_register_drop_user(config->previous);
        jrv_register_drop_ref(config->previous);
    }
    jrv_register_drop_user(config->own);
    jrv_register_drop_ref(config->own);
    jrv_register_unlock_and_tell();
    return left;
}

bool jrv_register_await(struct jrv_filter_config *config)
{
    struct jrv_app *app = config->own;
    bool ready;

    jrv_register_lock();
    app->awaited = true;
    while (app->state == JRV_APP_LOADING && !jrv_register.ended)
        pthread_cond_wait(&jrv_register.changed, &jrv_register.lock);
    app->awaited = false;
    ready = app->state == JRV_APP_READY;
    jrv_register_unlock();
    return ready;
}

bool jrv_register_all_loaded(void)
{
    bool loaded = true;

    jrv_register_lock();
    for (struct jrv_app *app = jrv_register.apps; app; app = app->next)
        loaded = loaded && app->state != JRV_APP_LOADING;
    jrv_register_unlock();
    return loaded;
}
