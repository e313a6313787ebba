/* SPDX-License-Identifier: Apache-2.0 */
/* One-line messages into Envoy's log; there is no other sink. Any thread. Twin: Log. */
#ifndef JRV_LOG_H
#define JRV_LOG_H

#include <stdbool.h>

#include "envoy_abi.h"

/* Logs a formatted line that is ours: it should start with "jruvoy: ". */
#define jrv_log(level, ...) jrv_log_from((level), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) void
jrv_log_from(enum envoy_log_level level, const char *file, unsigned line, const char *format, ...);

/* Logs a line that was made elsewhere (Java, the app), as it is. */
void jrv_log_line(enum envoy_log_level level, const char *line);

/* Whether Envoy's log takes this level. */
bool jrv_log_enabled(enum envoy_log_level level);

/* Logs an error that a person must see even if the level hides it or the log is a file: then it
 * goes to standard error as well. For the reason why the process, or an app, does not start. */
void jrv_log_must_see(const char *line);

#endif
