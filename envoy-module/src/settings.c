/* SPDX-License-Identifier: Apache-2.0 */
/* See settings.h: walks the definition and what was given. Main. */
#include "settings.h"

#include <stdio.h>
#include <string.h>

#include "settings_definition.h"
#include "settings_paths.h"
#include "settings_value.h"

static json_t *parse(enum jrv_settings_part part, const char *text, size_t length,
                     struct jrv_fault *fault)
{
    json_error_t error;
    json_t *given = length
                        ? json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error)
                        : json_object();

    if (!given && length) {
        jrv_fault_set(fault, "%s: not valid JSON (%s); give a google.protobuf.Struct",
                      jrv_settings_part_name(part), error.text);
    } else if (!json_is_object(given)) {
        jrv_fault_set(fault, "%s: not a map of settings; give a google.protobuf.Struct",
                      jrv_settings_part_name(part));
        json_decref(given);
        given = NULL;
    }
    return given;
}

static bool unknown(enum jrv_settings_part part, const char *key, struct jrv_fault *fault)
{
    const json_t *all = jrv_settings_definition(part);
    const char *nearest = jrv_settings_definition_nearest(part, key);
    char names[512] = "";
    size_t end = 0;

    if (nearest) {
        return jrv_fault_set(fault, "%s.%.100s: unknown key; did you mean \"%s\"?",
                             jrv_settings_part_name(part), key, nearest);
    }
    for (size_t i = 0; i < json_array_size(all) && end < sizeof(names); i++) {
        end += (size_t)snprintf(names + end, sizeof(names) - end, "%s%s", i ? ", " : "",
                                jrv_settings_string(json_array_get(all, i), "name"));
    }
    return jrv_fault_set(fault, "%s.%.100s: unknown key; known are %s",
                         jrv_settings_part_name(part), key, names);
}

static bool refuse_unknown(enum jrv_settings_part part, json_t *given, struct jrv_fault *fault)
{
    const char *key;
    json_t *value;

    json_object_foreach(given, key, value)
    {
        if (!jrv_settings_definition_find(part, key)) {
            return unknown(part, key, fault);
        }
    }
    return true;
}

static bool take(enum jrv_settings_part part, const json_t *setting, const json_t *given,
                 json_t *effective, struct jrv_fault *fault)
{
    const char *name = jrv_settings_string(setting, "name");
    const json_t *value = json_object_get(given, name);
    char path[128];

    snprintf(path, sizeof(path), "%s.%s", jrv_settings_part_name(part), name);
    if (!value) {
        value = json_object_get(setting, "default");
    }
    if (value) {
        return jrv_settings_value_check(setting, path, value, effective, fault);
    }
    if (json_is_true(json_object_get(setting, "required"))) {
        return jrv_fault_set(fault, "%s: missing, but required. %s", path,
                             jrv_settings_string(setting, "text"));
    }
    return true;
}

static bool complete(enum jrv_settings_part part, json_t *given, json_t *effective,
                     struct jrv_fault *fault)
{
    const json_t *all = jrv_settings_definition(part);

    if (!refuse_unknown(part, given, fault)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(all); i++) {
        if (!take(part, json_array_get(all, i), given, effective, fault)) {
            return false;
        }
    }
    return part == JRV_SETTINGS_FILTER ? jrv_settings_paths_of_filter(effective, fault)
                                       : jrv_settings_paths_of_bootstrap(effective, fault);
}

json_t *jrv_settings_check(enum jrv_settings_part part, const char *text, size_t length,
                           struct jrv_fault *fault)
{
    json_t *given = parse(part, text, length, fault);
    json_t *effective = given ? json_object() : NULL;

    if (given && !(effective && complete(part, given, effective, fault))) {
        json_decref(effective);
        effective = NULL;
    }
    json_decref(given);
    return effective;
}

char *jrv_settings_text(const json_t *settings)
{
    return json_dumps(settings, JSON_COMPACT | JSON_SORT_KEYS);
}

uint64_t jrv_settings_number(const json_t *settings, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(settings, key));

    return number > 0 ? (uint64_t)number : 0;
}

const char *jrv_settings_string(const json_t *settings, const char *key)
{
    return json_string_value(json_object_get(settings, key));
}
