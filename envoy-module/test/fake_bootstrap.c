/* SPDX-License-Identifier: Apache-2.0 */
/* See fake_bootstrap.h. */
#include "fake_bootstrap.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "envoy_abi.h"

bool fake_validation_mode;
uint64_t fake_workers_started;
int fake_init_signals;
_Atomic int fake_live_schedulers;
int fake_live_timers;
_Atomic int fake_completions;

/* A scheduler's only state is how many events wait; the module uses no event numbers. */
struct fake_scheduler {
    _Atomic int waiting;
};

struct fake_timer {
    bool enabled;
};

static struct fake_scheduler *scheduler;
static struct fake_timer *timer;
static void *config;
static void *extension;
static int envoy_config, envoy_extension;

static struct envoy_view view(const char *text)
{
    return (struct envoy_view){text, strlen(text)};
}

/* Every error line, one after the other. */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_text[16384];

/* ---- Callbacks ---- */

void envoy_dynamic_module_callback_log(enum envoy_log_level level, struct envoy_view message)
{
    size_t end;

    if (level < ENVOY_LOG_ERROR)
        return;
    pthread_mutex_lock(&log_lock);
    end = strlen(log_text);
    snprintf(log_text + end, sizeof(log_text) - end, "%.*s\n", (int)message.length, message.ptr);
    pthread_mutex_unlock(&log_lock);
}

bool fake_log_has_error(const char *text)
{
    bool has;

    pthread_mutex_lock(&log_lock);
    has = strstr(log_text, text) != NULL;
    pthread_mutex_unlock(&log_lock);
    return has;
}

void fake_log_clear(void)
{
    pthread_mutex_lock(&log_lock);
    log_text[0] = '\0';
    pthread_mutex_unlock(&log_lock);
}

bool envoy_dynamic_module_callback_is_validation_mode(void)
{
    return fake_validation_mode;
}

void envoy_dynamic_module_callback_bootstrap_extension_config_signal_init_complete(void *envoy)
{
    (void)envoy;
    fake_init_signals++;
}

void *envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_new(void *envoy)
{
    (void)envoy;
    scheduler = calloc(1, sizeof(*scheduler));
    atomic_fetch_add(&fake_live_schedulers, 1);
    return scheduler;
}

void envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_commit(void *committed,
                                                                               uint64_t event)
{
    (void)event;
    atomic_fetch_add(&((struct fake_scheduler *)committed)->waiting, 1);
}

void envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_delete(void *deleted)
{
    free(deleted);
    scheduler = NULL;
    atomic_fetch_sub(&fake_live_schedulers, 1);
}

bool envoy_dynamic_module_callback_bootstrap_extension_get_gauge_value(void *envoy,
                                                                       struct envoy_view name,
                                                                       uint64_t *value)
{
    static const char known[] = "listener_manager.workers_started";

    (void)envoy;
    *value = fake_workers_started;
    return name.length == sizeof(known) - 1 && memcmp(name.ptr, known, name.length) == 0;
}

void *envoy_dynamic_module_callback_bootstrap_extension_timer_new(void *envoy)
{
    (void)envoy;
    timer = calloc(1, sizeof(*timer));
    fake_live_timers++;
    return timer;
}

void envoy_dynamic_module_callback_bootstrap_extension_timer_enable(void *enabled,
                                                                    uint64_t milliseconds)
{
    (void)milliseconds;
    ((struct fake_timer *)enabled)->enabled = true;
}

void envoy_dynamic_module_callback_bootstrap_extension_timer_delete(void *deleted)
{
    free(deleted);
    timer = NULL;
    fake_live_timers--;
}

/* ---- Main ---- */

void *fake_bootstrap_new(const char *json)
{
    config = envoy_dynamic_module_on_bootstrap_extension_config_new(&envoy_config, view("jvm"),
                                                                    view(json));
    if (config)
        extension = envoy_dynamic_module_on_bootstrap_extension_new(config, &envoy_extension);
    return config;
}

void *fake_filter_config_new(const char *name, const char *json)
{
    static int envoy_filter_config;

    return envoy_dynamic_module_on_http_filter_config_new(&envoy_filter_config, view(name),
                                                          view(json));
}

void fake_main_run(void)
{
    int waiting = scheduler ? atomic_exchange(&scheduler->waiting, 0) : 0;

    while (waiting-- > 0)
        envoy_dynamic_module_on_bootstrap_extension_config_scheduled(&envoy_config, config, 0);
    if (timer && timer->enabled) {
        timer->enabled = false;
        envoy_dynamic_module_on_bootstrap_extension_timer_fired(&envoy_config, config, timer);
    }
}

bool fake_main_run_until(bool (*condition)(void))
{
    const struct timespec pause = {0, 1000000};

    for (int i = 0; i < 5000 && !condition(); i++) {
        fake_main_run();
        nanosleep(&pause, NULL);
    }
    return condition();
}

void fake_bootstrap_initialized(void)
{
    envoy_dynamic_module_on_bootstrap_extension_server_initialized(&envoy_extension, extension);
}

static void complete(void *context)
{
    (void)context;
    atomic_fetch_add(&fake_completions, 1);
}

void fake_bootstrap_shutdown(void)
{
    envoy_dynamic_module_on_bootstrap_extension_shutdown(&envoy_extension, extension, complete,
                                                         NULL);
}

void fake_bootstrap_destroy(void)
{
    envoy_dynamic_module_on_bootstrap_extension_destroy(extension);
    envoy_dynamic_module_on_bootstrap_extension_config_destroy(config);
}
