/* SPDX-License-Identifier: Apache-2.0 */
/* See child.h. */
#include "child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define LIMIT_MS 20000

static _Noreturn void be_child(void (*scenario)(void))
{
    int null = open("/dev/null", O_WRONLY);

    /* Its own report is of no interest, and buffered output of the parent must not appear twice. */
    dup2(null, STDOUT_FILENO);
    check_run("scenario", scenario);
    exit(check_report());
}

int child_run(void (*scenario)(void))
{
    const struct timespec pause = {0, 1000000};
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0)
        be_child(scenario);
    for (int i = 0; i < LIMIT_MS; i++) {
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        nanosleep(&pause, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return 99;
}
