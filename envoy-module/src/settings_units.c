/* SPDX-License-Identifier: Apache-2.0 */
/* Durations and sizes in the notation of the settings. Any thread. */
#include "settings_value.h"

#include <string.h>

struct unit {
    const char *name;
    uint64_t factor;
};

static const struct unit durations[] = {
    {"ms", 1}, {"s", 1000}, {"m", UINT64_C(60) * 1000}, {"h", UINT64_C(3600) * 1000}, {NULL, 0},
};

static const struct unit sizes[] = {
    {"", 1},   {"KiB", UINT64_C(1) << 10}, {"MiB", UINT64_C(1) << 20}, {"GiB", UINT64_C(1) << 30},
    {NULL, 0},
};

/* Digits, then one of the units, and nothing else. */
static bool parse(const char *text, const struct unit *units, uint64_t *result)
{
    uint64_t number = 0;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++) {
        if (__builtin_mul_overflow(number, 10u, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number)) {
            return false;
        }
    }
    if (at == text) {
        return false;
    }
    for (const struct unit *unit = units; unit->name; unit++) {
        if (strcmp(at, unit->name) == 0) {
            return !__builtin_mul_overflow(number, unit->factor, result) && *result <= INT64_MAX;
        }
    }
    return false;
}

bool jrv_settings_duration_parse(const char *text, uint64_t *milliseconds)
{
    return parse(text, durations, milliseconds);
}

bool jrv_settings_size_parse(const char *text, uint64_t *bytes)
{
    return parse(text, sizes, bytes);
}
