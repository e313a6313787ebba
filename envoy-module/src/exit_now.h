/* SPDX-License-Identifier: Apache-2.0 */
/* The blunt end, for when Envoy's own would crash or never come. Any thread. */
#ifndef JRV_EXIT_NOW_H
#define JRV_EXIT_NOW_H

/* Logs `line` where it must be seen (unless it is NULL), removes the run folder, and ends the
 * process with `status` without running anyone's exit handlers: Java code that still runs would
 * crash in them. */
_Noreturn void jrv_exit_now(int status, const char *line);

#endif
