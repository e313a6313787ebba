/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the settings that Envoy hands over and makes the effective ones. Main; no Java needed.
 *
 * The one definition is config/settings.json: names, types, defaults, limits. A new setting of a
 * known type needs no C. Effective settings are what Java reads: defaults filled in, paths
 * absolute, sizes in bytes, and a duration `x` as whole milliseconds under `x_ms`.
 */
#ifndef JRV_SETTINGS_H
#define JRV_SETTINGS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

enum jrv_settings_part {
    JRV_SETTINGS_FILTER,   /* filter_config of the HTTP filter. */
    JRV_SETTINGS_BOOTSTRAP /* extension_config of the bootstrap extension. */
};

/* Checks `length` bytes of JSON text (a Struct as Envoy prints it; empty means no settings).
 * Returns the effective settings, a reference that the caller owns, or NULL with the reason in
 * `fault`. Reads the file system: a rackup that cannot be read is refused here. */
json_t *jrv_settings_check(enum jrv_settings_part part, const char *text, size_t length,
                           struct jrv_fault *fault);

/* The effective settings as text with sorted keys: equal settings give equal texts. The caller
 * frees it. */
char *jrv_settings_text(const json_t *settings);

/* A whole number of the effective settings, 0 when it is not there. */
uint64_t jrv_settings_number(const json_t *settings, const char *key);

/* A string of the effective settings, NULL when it is not there. Lives as long as `settings`. */
const char *jrv_settings_string(const json_t *settings, const char *key);

#endif
