/* SPDX-License-Identifier: Apache-2.0 */
/* See bootstrap.h: the hooks that do something. bootstrap_unused.c has those that Envoy wants to
 * exist. Main. */
#include "bootstrap.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drain.h"
#include "envoy_abi.h"
#include "exit_now.h"
#include "log.h"
#include "register.h"
#include "run_folder.h"
#include "settings.h"
#include "vm.h"

/* How often we look whether the workers have opened the listeners. */
#define LISTENING_POLL_MS 2

/* What Java may take to end when Envoy leaves before it was ready. Short: nothing was served, and
 * JRuby cannot be interrupted while it boots. */
#define ABANDON_MS 1000

static struct {
    /* Main only. */
    void *config; /* Envoy's pointers. */
    void *extension;
    void *timer; /* Runs until the ready line is out. */
    char *listening_url;
    bool initialized; /* Every filter config of the static configuration has arrived. */
    /* Under the lock. */
    pthread_mutex_t lock;
    void *scheduler;
    bool present;
    bool signalled; /* Envoy may open the listeners. */
    bool leaving;   /* Envoy exits before that. */
} boot = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool jrv_bootstrap_present(void)
{
    bool present;

    pthread_mutex_lock(&boot.lock);
    present = boot.present;
    pthread_mutex_unlock(&boot.lock);
    return present;
}

bool jrv_bootstrap_starting(void)
{
    bool starting;

    pthread_mutex_lock(&boot.lock);
    starting = boot.present && !boot.signalled && !boot.leaving;
    pthread_mutex_unlock(&boot.lock);
    return starting;
}

void jrv_bootstrap_apps_changed(void)
{
    /* Under the lock, so that the scheduler is not deleted meanwhile. */
    pthread_mutex_lock(&boot.lock);
    if (boot.scheduler && !boot.signalled)
        envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_commit(boot.scheduler,
                                                                                  0);
    pthread_mutex_unlock(&boot.lock);
}

/* ---- Ready ---- */

static void print_when_listening(void)
{
    if (!boot.listening_url)
        return;
    boot.timer = envoy_dynamic_module_callback_bootstrap_extension_timer_new(boot.config);
    envoy_dynamic_module_callback_bootstrap_extension_timer_enable(boot.timer, LISTENING_POLL_MS);
}

static void signal_when_loaded(void)
{
    bool loaded = boot.initialized && jrv_register_all_loaded();
    bool first;

    pthread_mutex_lock(&boot.lock);
    first = loaded && !boot.signalled;
    boot.signalled = boot.signalled || loaded;
    pthread_mutex_unlock(&boot.lock);
    if (first) {
        envoy_dynamic_module_callback_bootstrap_extension_config_signal_init_complete(boot.config);
        print_when_listening();
    }
}

static bool workers_started(void)
{
    static const char gauge[] = "listener_manager.workers_started";
    const struct envoy_view name = {gauge, sizeof(gauge) - 1};
    uint64_t value = 0;

    return envoy_dynamic_module_callback_bootstrap_extension_get_gauge_value(boot.extension, name,
                                                                             &value) &&
           value > 0;
}

static void delete_timer(void)
{
    if (boot.timer)
        envoy_dynamic_module_callback_bootstrap_extension_timer_delete(boot.timer);
    boot.timer = NULL;
}

/* ---- Hooks ---- */

static bool configure(struct envoy_view text, struct jrv_fault *fault)
{
    json_t *settings = jrv_settings_check(JRV_SETTINGS_BOOTSTRAP, text.ptr, text.length, fault);
    const char *url = jrv_settings_string(settings, "listening_url");
    bool good = settings != NULL;

    if (good && boot.present)
        good = jrv_fault_set(fault, "there are two bootstrap extensions of Jruvoy; keep one");
    if (good && !envoy_dynamic_module_callback_is_validation_mode()) {
        jrv_run_folder_set(jrv_settings_string(settings, "run_folder"));
        boot.listening_url = url ? strdup(url) : NULL;
        good = jrv_vm_configure(settings, fault);
        if (!good)
            jrv_run_folder_remove();
    }
    json_decref(settings);
    return good;
}

void *envoy_dynamic_module_on_bootstrap_extension_config_new(void *envoy, struct envoy_view name,
                                                             struct envoy_view config)
{
    struct jrv_fault fault;

    (void)name;
    if (!configure(config, &fault)) {
        jrv_log_must_see(fault.line);
        return NULL;
    }
    if (envoy_dynamic_module_callback_is_validation_mode()) {
        envoy_dynamic_module_callback_bootstrap_extension_config_signal_init_complete(envoy);
        return &boot;
    }
    boot.config = envoy;
    pthread_mutex_lock(&boot.lock);
    boot.present = true;
    boot.scheduler = envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_new(envoy);
    pthread_mutex_unlock(&boot.lock);
    return &boot;
}

void *envoy_dynamic_module_on_bootstrap_extension_new(void *config, void *envoy)
{
    boot.extension = envoy;
    return config;
}

void envoy_dynamic_module_on_bootstrap_extension_server_initialized(void *envoy, void *extension)
{
    (void)envoy;
    (void)extension;
    boot.initialized = true;
    if (jrv_bootstrap_present())
        signal_when_loaded();
}

void envoy_dynamic_module_on_bootstrap_extension_config_scheduled(void *envoy, void *config,
                                                                  uint64_t event)
{
    (void)envoy;
    (void)config;
    (void)event;
    signal_when_loaded();
}

void envoy_dynamic_module_on_bootstrap_extension_timer_fired(void *envoy, void *config, void *timer)
{
    (void)envoy;
    (void)config;
    if (!workers_started()) {
        envoy_dynamic_module_callback_bootstrap_extension_timer_enable(timer, LISTENING_POLL_MS);
        return;
    }
    printf("jruvoy: listening on %s\n", boot.listening_url);
    fflush(stdout);
    delete_timer();
}

void envoy_dynamic_module_on_bootstrap_extension_shutdown(void *envoy, void *extension,
                                                          envoy_completion completion,
                                                          void *context)
{
    (void)envoy;
    (void)extension;
    jrv_drain_start(completion, context);
}

void envoy_dynamic_module_on_bootstrap_extension_destroy(void *extension)
{
    (void)extension;
    delete_timer();
    if (jrv_bootstrap_present())
        jrv_run_folder_remove();
}

void envoy_dynamic_module_on_bootstrap_extension_config_destroy(void *config)
{
    (void)config;
    delete_timer();
    pthread_mutex_lock(&boot.lock);
    boot.leaving = true;
    if (boot.scheduler)
        envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_delete(boot.scheduler);
    boot.scheduler = NULL;
    pthread_mutex_unlock(&boot.lock);
    /* Envoy leaves without a shutdown hook before its workers run: it was told to, or its
     * configuration is bad. A JVM that is left would crash the process on its way out. */
    if (!jrv_vm_stop(ABANDON_MS))
        jrv_exit_now(boot.initialized ? 0 : 1, NULL);
}
