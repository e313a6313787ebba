/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: whatever text comes as settings is accepted or refused with one line, never a
 * crash. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(enum jrv_settings_part part, const char *text, size_t size)
{
    struct jrv_fault fault = {""};
    json_t *effective = jrv_settings_check(part, text, size, &fault);
    char *effective_text;

    if (!effective) {
        size_t length = strlen(fault.line);
        if (length == 0 || length >= sizeof(fault.line) || strpbrk(fault.line, "\n\r"))
            abort();
        return;
    }
    effective_text = jrv_settings_text(effective);
    if (!effective_text)
        abort();
    free(effective_text);
    json_decref(effective);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(JRV_SETTINGS_FILTER, (const char *)data, size);
    check(JRV_SETTINGS_BOOTSTRAP, (const char *)data, size);
    return 0;
}
