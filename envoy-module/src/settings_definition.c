/* SPDX-License-Identifier: Apache-2.0 */
/* See settings_definition.h. The build passes the folder of settings.json to the assembler. Any
 * thread. */
#include "settings_definition.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The assembler copies the file in; nothing generates code from it. */
__asm__(".pushsection .rodata\n"
        ".global jrv_settings_json\n"
        ".hidden jrv_settings_json\n"
        ".global jrv_settings_json_end\n"
        ".hidden jrv_settings_json_end\n"
        "jrv_settings_json: .incbin \"settings.json\"\n"
        "jrv_settings_json_end: .byte 0\n"
        ".popsection\n");

extern const char jrv_settings_json[] __attribute__((visibility("hidden")));
extern const char jrv_settings_json_end[] __attribute__((visibility("hidden")));

/* A name longer than this is not compared with the known ones. */
#define NAME_MAX_COMPARED 63

static pthread_once_t parsed = PTHREAD_ONCE_INIT;
static json_t *definition;

static void parse(void)
{
    size_t length = (size_t)((uintptr_t)jrv_settings_json_end - (uintptr_t)jrv_settings_json);
    json_error_t error;

    definition = json_loadb(jrv_settings_json, length, JSON_REJECT_DUPLICATES, &error);
    if (!definition) {
        /* The module was built from a broken file; no message to a user could help. */
        fprintf(stderr, "jruvoy: config/settings.json, line %d: %s\n", error.line, error.text);
        abort();
    }
}

const json_t *jrv_settings_definition(enum jrv_settings_part part)
{
    pthread_once(&parsed, parse);
    return json_object_get(definition, part == JRV_SETTINGS_FILTER ? "filter" : "bootstrap");
}

static const char *name_of(const json_t *setting)
{
    return json_string_value(json_object_get(setting, "name"));
}

const json_t *jrv_settings_definition_find(enum jrv_settings_part part, const char *name)
{
    const json_t *all = jrv_settings_definition(part);

    for (size_t i = 0; i < json_array_size(all); i++) {
        if (strcmp(name_of(json_array_get(all, i)), name) == 0) {
            return json_array_get(all, i);
        }
    }
    return NULL;
}

static size_t least(size_t a, size_t b, size_t c)
{
    size_t smaller = a < b ? a : b;

    return smaller < c ? smaller : c;
}

/* Insertions, deletions and replacements between two names. */
static size_t distance(const char *a, const char *b)
{
    size_t row[NAME_MAX_COMPARED + 1];
    size_t width = strlen(b);

    for (size_t j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t above = row[j + 1];
            row[j + 1] = least(above + 1, row[j] + 1, diagonal + (a[i] != b[j]));
            diagonal = above;
        }
    }
    return row[width];
}

const char *jrv_settings_definition_nearest(enum jrv_settings_part part, const char *name)
{
    const json_t *all = jrv_settings_definition(part);
    const char *nearest = NULL;
    size_t best = strlen(name) / 3 + 1;

    if (strlen(name) > NAME_MAX_COMPARED) {
        return NULL;
    }
    for (size_t i = 0; i < json_array_size(all); i++) {
        const char *known = name_of(json_array_get(all, i));
        size_t steps = strlen(known) > NAME_MAX_COMPARED ? SIZE_MAX : distance(name, known);
        if (steps <= best) {
            best = steps;
            nearest = known;
        }
    }
    return nearest;
}

const char *jrv_settings_part_name(enum jrv_settings_part part)
{
    return part == JRV_SETTINGS_FILTER ? "filter_config" : "extension_config";
}
