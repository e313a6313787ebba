/* SPDX-License-Identifier: Apache-2.0 */
/* The JVM itself: create, run Java's part, destroy. Only jvm.c knows JNI. Tests replace this
 * function. */
#ifndef JRV_JVM_H
#define JRV_JVM_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"

/* What the JVM is created with. */
struct jrv_jvm_plan {
    char *java_home; /* A JDK that jrv_java_home_check() accepted. */
    char **options;  /* In their order; the last one is at [option_count - 1]. */
    size_t option_count;
    char *aot_cache; /* The installation's, when it is among the options; else NULL. */
    bool records; /* Writes an AOT cache, or what one is made of, when it ends: that takes long. */
};

/* Creates the JVM on the calling thread, calls jruvoy.bridge.Bootstrap.run() and, when that
 * returns, destroys the JVM. False with the reason when it could not be created or run() threw. VM
 * thread only, once per process. */
bool jrv_jvm_run(const struct jrv_jvm_plan *plan, struct jrv_fault *fault);

#endif
