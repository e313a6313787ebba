/* SPDX-License-Identifier: Apache-2.0 */
/* Which JDK to run on. Main. */
#ifndef JRV_JAVA_HOME_H
#define JRV_JAVA_HOME_H

#include "fault.h"

/* The JDK's folder: `setting` when it is given (may be NULL), else the environment's JAVA_HOME,
 * where blank counts as not set. The caller frees it. NULL with the reason when there is none, or
 * it is no JDK that Jruvoy runs on. */
char *jrv_java_home_find(const char *setting, struct jrv_fault *fault);

/* The feature number in a JDK's `release` text (25 for JAVA_VERSION="25.0.1"), 0 when it has none.
 */
int jrv_java_home_feature(const char *release);

#endif
