/* SPDX-License-Identifier: Apache-2.0 */
/* See cpus.h. Any thread. */
#include "cpus.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Longer than any path of a control group that a system manager makes. */
#define PATH_BYTES 1024

static uint32_t allowed(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return 1;
    return (uint32_t)CPU_COUNT(&set);
}

uint32_t jrv_cpus_of_quota(const char *cpu_max)
{
    unsigned long long quota, period;

    if (sscanf(cpu_max, "%llu %llu", &quota, &period) != 2 || quota == 0 || period == 0)
        return 0;
    return (uint32_t)((quota + period - 1) / period);
}

static bool read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "re");
    bool done = file && fgets(line, size, file);

    if (file)
        fclose(file);
    return done;
}

/* The process's control group as the line "0::/path" of the kernel; inside a container mostly "/".
 * Where that folder is not mounted, the root is the container's own. */
static uint32_t quota(void)
{
    char line[PATH_BYTES] = "";
    char path[PATH_BYTES + 64];

    if (!read_line("/proc/self/cgroup", line, sizeof(line)) || strncmp(line, "0::", 3) != 0)
        return 0;
    line[strcspn(line, "\n")] = '\0';
    snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", line + 3);
    if (!read_line(path, line, sizeof(line)) &&
        !read_line("/sys/fs/cgroup/cpu.max", line, sizeof(line)))
        return 0;
    return jrv_cpus_of_quota(line);
}

uint32_t jrv_cpus_available(void)
{
    uint32_t cpus = allowed();
    uint32_t limit = quota();

    return limit > 0 && limit < cpus ? limit : cpus;
}
