/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong, said in one line that can be logged as it is. Any thread; the caller owns the
 * memory. */
#ifndef JRV_FAULT_H
#define JRV_FAULT_H

#include <stdbool.h>

/* Long enough for two paths and a sentence; a log line stays below 2000 bytes with Envoy's prefix.
 */
struct jrv_fault {
    char line[1600];
};

/* Writes "jruvoy: " and the text; control characters become blanks so that it stays one line.
 * Returns false, so that a check can end with `return jrv_fault_set(...)`. */
__attribute__((format(printf, 2, 3))) bool jrv_fault_set(struct jrv_fault *fault,
                                                         const char *format, ...);

#endif
