/* SPDX-License-Identifier: Apache-2.0 */
/* See settings_value.h: one function per type of config/settings.json. Any thread. */
#include "settings_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"

/* What a check needs to know, and where its result goes. */
struct check {
    const json_t *setting;
    const char *path;
    const json_t *value;
    json_t *effective;
    struct jrv_fault *fault;
};

/* A value as a message shows it: as the user wrote it, but short. */
struct shown {
    char text[80];
};

static struct shown show(const json_t *value)
{
    struct shown shown = {"that"};
    char *text;

    if (json_is_object(value) || json_is_array(value)) {
        strcpy(shown.text, json_is_object(value) ? "a map" : "a list");
        return shown;
    }
    text = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
    if (text) {
        bool whole = snprintf(shown.text, sizeof(shown.text), "%s", text) < (int)sizeof(shown.text);
        if (!whole) {
            strcpy(shown.text + sizeof(shown.text) - 4, "...");
        }
        free(text);
    }
    return shown;
}

static const char *attribute(const struct check *check, const char *key)
{
    return json_string_value(json_object_get(check->setting, key));
}

static bool put(const struct check *check, const char *suffix, json_t *effective)
{
    char key[96];

    snprintf(key, sizeof(key), "%s%s", attribute(check, "name"), suffix);
    return json_object_set_new(check->effective, key, effective) == 0 ||
           jrv_fault_set(check->fault, "%s: out of memory", check->path);
}

static bool check_string(const struct check *check)
{
    if (!json_is_string(check->value)) {
        return jrv_fault_set(check->fault, "%s: %s is not a string; put it in quotes", check->path,
                             show(check->value).text);
    }
    if (json_string_length(check->value) == 0) {
        return jrv_fault_set(check->fault, "%s: it is empty; give a value or leave the key out",
                             check->path);
    }
    return put(check, "", json_deep_copy(check->value));
}

/* "auto", where the definition has a word for what that counts. */
static bool is_auto(const struct check *check)
{
    const char *text = json_string_value(check->value);

    return attribute(check, "auto") && text && strcmp(text, "auto") == 0;
}

static bool check_integer(const struct check *check)
{
    json_int_t min = json_integer_value(json_object_get(check->setting, "min"));
    json_int_t max = json_integer_value(json_object_get(check->setting, "max"));
    double number = json_number_value(check->value);
    const char *or_auto = attribute(check, "auto") ? ", or auto" : "";

    if (is_auto(check)) {
        json_int_t counted = (json_int_t)jrv_cpus_available();
        return put(check, "", json_integer(counted > max ? max : counted));
    }
    if (!json_is_number(check->value) || number != floor(number)) {
        return jrv_fault_set(
            check->fault, "%s: %s is not an integer; give a whole number from %lld to %lld%s",
            check->path, show(check->value).text, (long long)min, (long long)max, or_auto);
    }
    if (number < (double)min || number > (double)max) {
        return jrv_fault_set(
            check->fault, "%s: %s is out of range; give a whole number from %lld to %lld%s",
            check->path, show(check->value).text, (long long)min, (long long)max, or_auto);
    }
    return put(check, "", json_integer((json_int_t)number));
}

/* A quantity with a unit: the notation, the words for it, and the ending of its effective key. */
struct quantity {
    bool (*parse)(const char *text, uint64_t *result);
    const char *noun;
    const char *notation;
    const char *suffix;
};

static bool check_quantity(const struct check *check, const struct quantity *quantity)
{
    char plain[32];
    const char *text = json_string_value(check->value);
    const char *min = attribute(check, "min");
    const char *max = attribute(check, "max");
    uint64_t number = 0, low = 0, high = UINT64_MAX;

    if (json_is_number(check->value)) {
        /* The biggest double that is exact; what is beyond fails as "1e+20" does. */
        double value = json_number_value(check->value);
        bool exact = value >= 0 && value <= 9007199254740992.0;
        snprintf(plain, sizeof(plain), exact ? "%.17g" : "no", value);
        text = plain;
    }
    if (!text || !quantity->parse(text, &number)) {
        return jrv_fault_set(check->fault, "%s: %s is not a %s; give %s, from %s to %s",
                             check->path, show(check->value).text, quantity->noun,
                             quantity->notation, min, max);
    }
    if (!quantity->parse(min, &low) || !quantity->parse(max, &high) || number < low ||
        number > high) {
        return jrv_fault_set(check->fault, "%s: %s is out of range; give %s, from %s to %s",
                             check->path, show(check->value).text, quantity->notation, min, max);
    }
    return put(check, quantity->suffix, json_integer((json_int_t)number));
}

static bool check_duration(const struct check *check)
{
    static const struct quantity quantity = {jrv_settings_duration_parse, "duration",
                                             "a number with ms, s, m or h, like \"30s\"", "_ms"};

    return check_quantity(check, &quantity);
}

static bool check_size(const struct check *check)
{
    static const struct quantity quantity = {
        jrv_settings_size_parse, "size", "bytes or a number with KiB, MiB or GiB, like \"64KiB\"",
        ""};

    return check_quantity(check, &quantity);
}

static bool check_choice(const struct check *check)
{
    const json_t *choices = json_object_get(check->setting, "choices");
    const char *text = json_string_value(check->value);
    char known[120] = "";

    for (size_t i = 0; i < json_array_size(choices); i++) {
        const char *choice = json_string_value(json_array_get(choices, i));
        size_t used = strlen(known);
        if (text && strcmp(text, choice) == 0) {
            return put(check, "", json_deep_copy(check->value));
        }
        snprintf(known + used, sizeof(known) - used, "%s%s", i ? " or " : "", choice);
    }
    return jrv_fault_set(check->fault, "%s: %s is no value for it; give %s", check->path,
                         show(check->value).text, known);
}

static bool check_strings(const struct check *check)
{
    if (!json_is_array(check->value)) {
        return jrv_fault_set(check->fault, "%s: %s is not a list; give a list of strings",
                             check->path, show(check->value).text);
    }
    for (size_t i = 0; i < json_array_size(check->value); i++) {
        const json_t *item = json_array_get(check->value, i);
        if (!json_is_string(item) || json_string_length(item) == 0) {
            return jrv_fault_set(check->fault,
                                 "%s[%zu]: %s is not a string with something in it; give a list "
                                 "of strings",
                                 check->path, i, show(item).text);
        }
    }
    return put(check, "", json_deep_copy(check->value));
}

static bool check_map(const struct check *check)
{
    const char *key;
    json_t *item;

    if (!json_is_object(check->value)) {
        return jrv_fault_set(check->fault, "%s: %s is not a map; give names with string values",
                             check->path, show(check->value).text);
    }
    json_object_foreach((json_t *)check->value, key, item)
    {
        if (!*key || strchr(key, '=')) {
            return jrv_fault_set(
                check->fault, "%s: \"%.60s\" is not a name; it must not be empty or have a \"=\"",
                check->path, key);
        }
        if (!json_is_string(item)) {
            return jrv_fault_set(check->fault, "%s.%.60s: %s is not a string; put it in quotes",
                                 check->path, key, show(item).text);
        }
    }
    return put(check, "", json_deep_copy(check->value));
}

bool jrv_settings_value_check(const json_t *setting, const char *path, const json_t *value,
                              json_t *effective, struct jrv_fault *fault)
{
    static const struct {
        const char *type;
        bool (*run)(const struct check *check);
    } types[] = {
        {"string", check_string}, {"path", check_string},       {"integer", check_integer},
        {"size", check_size},     {"duration", check_duration}, {"strings", check_strings},
        {"map", check_map},       {"choice", check_choice},
    };
    const struct check check = {setting, path, value, effective, fault};
    const char *type = attribute(&check, "type");

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(types[i].type, type) == 0) {
            return types[i].run(&check);
        }
    }
    return jrv_fault_set(fault, "%s: the module does not know settings of type %s", path, type);
}
