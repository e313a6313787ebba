/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the register share: register.c, register_drain.c and app_natives.c. Any thread,
 * under the lock. */
#ifndef JRV_REGISTER_PRIVATE_H
#define JRV_REGISTER_PRIVATE_H

#include <pthread.h>

#include "register.h"

struct jrv_register {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct jrv_app *apps;              /* In the order of arrival. */
    struct jrv_filter_config *configs; /* Newest first. */
    bool gates_closed;
    bool ended;
    bool lost; /* Java is gone without having been asked. */
};

extern struct jrv_register jrv_register;

void jrv_register_lock(void);
void jrv_register_unlock(void);

/* Unlocks and wakes everyone who waits for a change. */
void jrv_register_unlock_and_tell(void);

/* ---- Under the lock ---- */

/* Gives Java STOP once the last stream of an unused app has ended. */
void jrv_register_stop_when_quiet(struct jrv_app *app);

/* One filter config less sends requests to the app; with the last one it begins to stop. */
void jrv_register_drop_user(struct jrv_app *app);

/* One holder less knows the address; with the last one the app is freed. */
void jrv_register_drop_ref(struct jrv_app *app);

/* The app answers no more, without having been asked to stop. */
void jrv_register_fail(struct jrv_app *app);

#endif
