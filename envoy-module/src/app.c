/* SPDX-License-Identifier: Apache-2.0 */
/* See app.h. Main makes apps; whoever drops the last reference frees them. */
#include "app.h"

#include <stdlib.h>
#include <string.h>

#include "credit.h"
#include "envoy_abi.h"
#include "settings.h"

/* Opens the inboxes; on failure the ones before are closed again. */
static bool open_inboxes(struct jrv_app *app)
{
    for (uint32_t i = 0; i < app->owners; i++) {
        if (!jrv_inbox_init(&app->inboxes[i])) {
            while (i-- > 0) {
                jrv_inbox_destroy(&app->inboxes[i]);
            }
            return false;
        }
        app->inboxes[i].timed = app->owners > 1;
    }
    return true;
}

struct jrv_app *jrv_app_new(const json_t *settings, struct jrv_fault *fault)
{
    struct jrv_app *app = calloc(1, sizeof(*app));

    if (!app) {
        jrv_fault_set(fault, "out of memory for an app");
        return NULL;
    }
    app->owners = (uint32_t)jrv_settings_number(settings, "owners");
    app->workers = envoy_dynamic_module_callback_get_concurrency();
    if (app->workers == 0)
        app->workers = 1;
    app->max_requests = (uint32_t)jrv_settings_number(settings, "max_requests");
    app->window_bytes = jrv_settings_number(settings, "window_bytes");
    app->max_buffered_bytes = jrv_settings_number(settings, "max_buffered_bytes");
    app->drain_timeout_ms = jrv_settings_number(settings, "drain_timeout_ms");
    app->settings = jrv_settings_text(settings);
    app->rackup = strdup(jrv_settings_string(settings, "rackup"));
    jrv_admission_init(&app->admission, app->max_requests);
    jrv_budget_raise(app->max_buffered_bytes);
    if (!app->settings || !app->rackup || !open_inboxes(app)) {
        jrv_fault_set(fault, "no memory or no descriptor left for the app %s",
                      jrv_settings_string(settings, "rackup"));
        free(app->settings);
        free(app->rackup);
        free(app);
        return NULL;
    }
    return app;
}

void jrv_app_free(struct jrv_app *app)
{
    if (!app) {
        return;
    }
    for (uint32_t i = 0; i < app->owners; i++) {
        jrv_inbox_destroy(&app->inboxes[i]);
    }
    free(app->settings);
    free(app->rackup);
    free(app);
}
