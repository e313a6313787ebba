/* SPDX-License-Identifier: Apache-2.0 */
/* The definition of all settings, config/settings.json, which is part of the module's own file. Any
 * thread. */
#ifndef JRV_SETTINGS_DEFINITION_H
#define JRV_SETTINGS_DEFINITION_H

#include "settings.h"

/* The settings of a part: an array of objects with name, type, default, min, max, required, text.
 * Borrowed. */
const json_t *jrv_settings_definition(enum jrv_settings_part part);

/* The object that defines `name`, or NULL. Borrowed. */
const json_t *jrv_settings_definition_find(enum jrv_settings_part part, const char *name);

/* The defined name that `name` was probably meant to be, or NULL. Borrowed. */
const char *jrv_settings_definition_nearest(enum jrv_settings_part part, const char *name);

/* What Envoy calls the part: the first word of every message. */
const char *jrv_settings_part_name(enum jrv_settings_part part);

#endif
