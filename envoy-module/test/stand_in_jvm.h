/* SPDX-License-Identifier: Apache-2.0 */
/* A JVM that is none: takes apps, says that they are ready, stops them, all in C. Replaces
 * jrv_jvm_run() in every test.
 *
 * What an app does goes by the name of its rackup: "bad" cannot be loaded, "slow" is loaded when
 * the test says so.
 */
#ifndef JRV_STAND_IN_JVM_H
#define JRV_STAND_IN_JVM_H

#include <stdatomic.h>
#include <stdbool.h>

/* ---- Set by tests ---- */

extern bool stand_in_refuses;       /* The JVM cannot be created. */
extern _Atomic bool stand_in_loads; /* Slow apps become ready. */

/* ---- Seen by tests ---- */

extern _Atomic int stand_in_runs;    /* How often it was started; */
extern _Atomic int stand_in_ends;    /* and came to its end. */
extern _Atomic int stand_in_apps;    /* Apps taken. */
extern _Atomic int stand_in_stopped; /* Apps stopped by STOP, not by the end. */

/* Makes a folder with rackups good.ru, other.ru, bad.ru and slow.ru, a home and a JDK for the
 * module to find, and goes there. Removed at exit. */
void stand_in_folder(void);

#endif
