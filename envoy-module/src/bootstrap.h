/* SPDX-License-Identifier: Apache-2.0 */
/* The bootstrap extension: Envoy's listeners wait for the apps, Envoy's exit waits for the JVM.
 * Twin: Bootstrap.
 *
 * Its hooks run on main. There is at most one extension; the filter works without it, too.
 */
#ifndef JRV_BOOTSTRAP_H
#define JRV_BOOTSTRAP_H

#include <stdbool.h>

/* ---- Any thread ---- */

/* Whether this process has the extension (false in validation mode). */
bool jrv_bootstrap_present(void);

/* Whether Envoy's listeners still wait for the apps: a failure now is a failure to start. */
bool jrv_bootstrap_starting(void);

/* An app has become ready or has failed. */
void jrv_bootstrap_apps_changed(void);

#endif
