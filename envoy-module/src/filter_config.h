/* SPDX-License-Identifier: Apache-2.0 */
/* One filter config of Envoy: its name and the app that answers its requests.
 *
 * Made and (normally) destroyed on Envoy's main thread; Envoy keeps it alive for as long as a
 * stream of it exists.
 */
#ifndef JRV_FILTER_CONFIG_H
#define JRV_FILTER_CONFIG_H

#include <stdatomic.h>

#include "app.h"

struct jrv_filter_config {
    char *name;
    struct jrv_app *own;               /* The app of these settings; NULL in validation mode. */
    struct jrv_app *previous;          /* Answers until `own` is ready; NULL when there is none. */
    _Atomic(struct jrv_app *) serving; /* One of the two. */
    struct jrv_filter_config *next;    /* Register of filter configs, under the register's lock. */
};

/* The app that answers a stream that begins now. Never NULL on a worker; valid while the config
 * lives. Worker. */
static inline struct jrv_app *jrv_filter_config_app(const struct jrv_filter_config *config)
{
    return atomic_load_explicit(&config->serving, memory_order_acquire);
}

#endif
