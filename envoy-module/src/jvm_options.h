/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the JVM's options together: ours, those of jvm.options, the user's. Main. */
#ifndef JRV_JVM_OPTIONS_H
#define JRV_JVM_OPTIONS_H

#include <jansson.h>

#include "jvm.h"

/* Fills plan->options from the installed home folder (jvm.options, jars, jruvoy.aot) and the user's
 * list (a JSON array of strings, or NULL); `module` is the path of our own .so. False with the
 * reason when the home folder is not complete. */
bool jrv_jvm_options_collect(struct jrv_jvm_plan *plan, const char *home, const char *module,
                             const json_t *user, struct jrv_fault *fault);

#endif
