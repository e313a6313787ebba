/* SPDX-License-Identifier: Apache-2.0 */
/* See exit_now.h. Any thread. */
#include "exit_now.h"

#include <stdio.h>
#include <unistd.h>

#include "log.h"
#include "run_folder.h"

void jrv_exit_now(int status, const char *line)
{
    if (line)
        jrv_log_must_see(line);
    jrv_run_folder_remove();
    fflush(stdout);
    fflush(stderr);
    _exit(status);
}
