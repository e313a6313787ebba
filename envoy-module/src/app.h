/* SPDX-License-Identifier: Apache-2.0 */
/* An app: one rackup with its settings, its owners' inboxes and its admission.
 *
 * Apps are made when a filter config arrives; identical settings share one. register.c decides
 * about their life; the data path reads the first group and the two structs only.
 */
#ifndef JRV_APP_H
#define JRV_APP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "admission.h"
#include "fault.h"
#include "inbox.h"

/* Owners per app at most; config/settings.json says the same. */
#define JRV_APP_OWNERS_MAX 64

enum jrv_app_state {
    JRV_APP_LOADING = 0, /* Java loads it, or will. */
    JRV_APP_READY = 1,   /* It answers. */
    JRV_APP_FAILED =
        2, /* It could not be loaded, or its owners are lost; it refuses every request. */
    JRV_APP_STOPPING =
        3,              /* No filter config sends it requests any more; its owners end, or will. */
    JRV_APP_STOPPED = 4 /* Java does not know it any more. */
};

struct jrv_app {
    /* Constant once the app is made. Any thread. */
    uint32_t owners;
    uint32_t workers;            /* Of the process. */
    uint32_t max_requests;       /* Admission's limit. */
    uint64_t window_bytes;       /* Per stream and direction. */
    uint64_t max_buffered_bytes; /* Of the whole process. */
    uint64_t drain_timeout_ms;
    char *settings; /* Effective settings: JSON text, NUL-terminated. */
    char *rackup;   /* Absolute path, for the log. */

    /* Worker and owner. */
    struct jrv_admission admission;
    struct jrv_inbox inboxes[JRV_APP_OWNERS_MAX];

    /* Control: under the register's lock. */
    enum jrv_app_state state;
    uint32_t users; /* Filter configs that send requests here, now or once it is ready. */
    uint32_t refs;  /* Filter configs that know the address, plus one while Java does. */
    bool queued;    /* Waits for jruvoy_native_next_app(). */
    bool handed;    /* Java knows it. */
    bool awaited;   /* A filter config waits on main for the outcome; it must be told aloud. */
    struct jrv_app *next;
};

/* ---- Main ---- */

/* Makes an app from effective settings; nobody knows it yet. NULL with the reason in `fault`. */
struct jrv_app *jrv_app_new(const json_t *settings, struct jrv_fault *fault);

/* Frees it. No filter config, no stream and no Java may know it. Any thread; `app` may be NULL. */
void jrv_app_free(struct jrv_app *app);

/* ---- Any thread ---- */

/* The data path says: a gate that is closed, or a generation that drains, has become empty. Takes
 * no app because the app may be gone by the time the call is made. Cheap; may be called without
 * need. */
void jrv_apps_quiet(void);

#endif
