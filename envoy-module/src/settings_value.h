/* SPDX-License-Identifier: Apache-2.0 */
/* One value of one setting: is it of its type and within its limits, and what is it in effect? Any
 * thread. */
#ifndef JRV_SETTINGS_VALUE_H
#define JRV_SETTINGS_VALUE_H

#include "settings.h"

/* Checks `value` against its definition and puts the effective value into `effective` under its
 * effective key. `path` is what a message calls the setting. False with the reason in `fault` when
 * it is refused. */
bool jrv_settings_value_check(const json_t *setting, const char *path, const json_t *value,
                              json_t *effective, struct jrv_fault *fault);

/* Reads "30s", "250ms", "5m", "1h" as milliseconds; false when it is not a duration. */
bool jrv_settings_duration_parse(const char *text, uint64_t *milliseconds);

/* Reads "65536", "64KiB", "1MiB", "2GiB" as bytes; false when it is not a size. */
bool jrv_settings_size_parse(const char *text, uint64_t *bytes);

#endif
