/* SPDX-License-Identifier: Apache-2.0 */
/* See log.h. Any thread. */
#include "log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a line of ours may have; Envoy's own prefix comes on top, and 2000 is the most that anyone
 * should read. */
#define LINE_MAX_BYTES 1800

static void write_line(enum envoy_log_level level, const char *file, unsigned line,
                       const char *text)
{
    struct envoy_view message = {text, strlen(text)};

    if (envoy_dynamic_module_callback_log_v2) {
        struct envoy_view source = {file, strlen(file)};
        envoy_dynamic_module_callback_log_v2(level, message, source, line);
    } else {
        envoy_dynamic_module_callback_log(level, message);
    }
}

void jrv_log_from(enum envoy_log_level level, const char *file, unsigned line, const char *format,
                  ...)
{
    char text[LINE_MAX_BYTES];
    va_list arguments;

    if (!jrv_log_enabled(level)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    write_line(level, file, line, text);
}

void jrv_log_line(enum envoy_log_level level, const char *line)
{
    write_line(level, "jruvoy", 0, line);
}

bool jrv_log_enabled(enum envoy_log_level level)
{
    return envoy_dynamic_module_callback_log_enabled(level);
}

/* Whether Envoy was told to log into a file. The ABI does not say, its command line does. */
static bool log_is_a_file(void)
{
    static const char option[] = "--log-path";
    char arguments[4096];
    int descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor < 0 ? 0 : read(descriptor, arguments, sizeof(arguments) - 1);

    if (descriptor >= 0) {
        close(descriptor);
    }
    arguments[length > 0 ? length : 0] = '\0';
    for (const char *at = arguments; at < arguments + length; at += strlen(at) + 1) {
        if (strncmp(at, option, sizeof(option) - 1) == 0) {
            return true;
        }
    }
    return false;
}

void jrv_log_must_see(const char *line)
{
    bool in_file = log_is_a_file();

    if (in_file || !jrv_log_enabled(ENVOY_LOG_ERROR)) {
        fprintf(stderr, "%s\n", line);
        fflush(stderr);
    }
    jrv_log_line(ENVOY_LOG_ERROR, line);
    if (in_file) {
        /* Envoy flushes its log file at this level only, and the process may end now. */
        jrv_log_line(ENVOY_LOG_CRITICAL, "jruvoy: giving up");
    }
}
