/* SPDX-License-Identifier: Apache-2.0 */
/* See fault.h. Any thread. */
#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool jrv_fault_set(struct jrv_fault *fault, const char *format, ...)
{
    static const char prefix[] = "jruvoy: ";
    const size_t taken = sizeof(prefix) - 1;
    va_list arguments;

    memcpy(fault->line, prefix, sizeof(prefix));
    va_start(arguments, format);
    vsnprintf(fault->line + taken, sizeof(fault->line) - taken, format, arguments);
    va_end(arguments);
    for (char *at = fault->line; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f) {
            *at = ' ';
        }
    }
    return false;
}
