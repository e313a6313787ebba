/* SPDX-License-Identifier: Apache-2.0 */
/* The paths among the settings: made absolute, and those that must exist looked up. Main. */
#ifndef JRV_SETTINGS_PATHS_H
#define JRV_SETTINGS_PATHS_H

#include "settings.h"

/* Completes the effective settings of a filter in place. False with the reason when a file is not
 * there. */
bool jrv_settings_paths_of_filter(json_t *effective, struct jrv_fault *fault);

/* Completes the effective settings of the bootstrap extension in place. */
bool jrv_settings_paths_of_bootstrap(json_t *effective, struct jrv_fault *fault);

/* `path` without ".", ".." and doubled slashes, counted from the folder `base` when it is relative.
 * Looks at no file. The caller frees it. */
char *jrv_settings_path_absolute(const char *base, const char *path);

#endif
