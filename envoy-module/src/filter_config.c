/* SPDX-License-Identifier: Apache-2.0 */
/* See filter_config.h: the two hooks of a filter config's life. New: main; destroy: any thread. */
#include "filter_config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap.h"
#include "envoy_abi.h"
#include "exit_now.h"
#include "log.h"
#include "register.h"
#include "settings.h"
#include "vm.h"

/* What Java has to stop and the JVM to go when there is no bootstrap extension that would drain
 * first. */
#define STOP_MS 10000

static struct jrv_filter_config *allocate(struct envoy_view name)
{
    struct jrv_filter_config *config = calloc(1, sizeof(*config));

    if (config)
        config->name = strndup(name.length ? name.ptr : "", name.length);
    if (config && !config->name) {
        free(config);
        config = NULL;
    }
    return config;
}

static void release(struct jrv_filter_config *config)
{
    free(config->name);
    free(config);
}

static void *stop_on_thread(void *unused)
{
    (void)unused;
    if (!jrv_vm_stop(STOP_MS))
        jrv_exit_now(1, "jruvoy: Java did not stop within 10 s; ending the process");
    return NULL;
}

/* Without the bootstrap extension the last filter config is the last we hear of Envoy: the JVM must
 * be gone before Envoy takes its signal handlers down. On a worker nobody may wait, so another
 * thread does. */
static void end_without_bootstrap(void)
{
    pthread_t thread;

    if (jrv_bootstrap_present() || !jrv_vm_running())
        return;
    if (gettid() == getpid()) {
        stop_on_thread(NULL);
    } else if (pthread_create(&thread, NULL, stop_on_thread, NULL) == 0) {
        pthread_detach(thread);
    }
}

static void leave(struct jrv_filter_config *config)
{
    size_t left = jrv_register_leave(config);

    release(config);
    if (left == 0)
        end_without_bootstrap();
}

/* Has the app loaded. With the bootstrap extension Envoy's listeners wait for the apps of the
 * start, and later an older app of the same filter answers meanwhile. Without it nothing but main
 * holds a new listener back, so main waits here, while the workers go on with what they have. Takes
 * `config` over when it fails. */
static bool load(struct jrv_filter_config *config, const json_t *settings, struct jrv_fault *fault)
{
    struct jrv_app *app = jrv_app_new(settings, fault);
    bool bootstrap = jrv_bootstrap_present();

    if (!app || !jrv_register_join(config, app, bootstrap && !jrv_bootstrap_starting(), fault)) {
        release(config);
        return false;
    }
    if (bootstrap || jrv_register_await(config))
        return true;
    /* The reason has been logged by whoever knew it. */
    fault->line[0] = '\0';
    leave(config);
    return false;
}

static struct jrv_filter_config *make(struct envoy_view name, const json_t *settings,
                                      struct jrv_fault *fault)
{
    struct jrv_filter_config *config;

    if (envoy_dynamic_module_callback_is_validation_mode() || jrv_vm_start(fault)) {
        config = allocate(name);
        if (!config) {
            jrv_fault_set(fault, "out of memory");
        } else if (envoy_dynamic_module_callback_is_validation_mode() ||
                   load(config, settings, fault)) {
            return config;
        }
    }
    return NULL;
}

void *envoy_dynamic_module_on_http_filter_config_new(void *envoy, struct envoy_view name,
                                                     struct envoy_view config)
{
    struct jrv_fault fault;
    json_t *settings = jrv_settings_check(JRV_SETTINGS_FILTER, config.ptr, config.length, &fault);
    struct jrv_filter_config *made = settings ? make(name, settings, &fault) : NULL;

    (void)envoy;
    json_decref(settings);
    if (!made && fault.line[0])
        jrv_log_must_see(fault.line);
    return made;
}

void envoy_dynamic_module_on_http_filter_config_destroy(void *config)
{
    struct jrv_filter_config *made = config;

    if (made->own) {
        leave(made);
    } else {
        release(made);
    }
}
