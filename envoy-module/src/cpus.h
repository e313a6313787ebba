/* SPDX-License-Identifier: Apache-2.0 */
/* How many CPUs this process may use. Any thread. */
#ifndef JRV_CPUS_H
#define JRV_CPUS_H

#include <stdint.h>

/* The CPUs that the scheduler lets this process run on, or fewer where its control group (version
 * 2) is limited to the time of fewer, rounded up. At least 1. Reads the file system. */
uint32_t jrv_cpus_available(void);

/* Of a control group's cpu.max ("QUOTA PERIOD" or "max PERIOD"): the CPUs that it amounts to,
 * rounded up; 0 when it is no limit. */
uint32_t jrv_cpus_of_quota(const char *cpu_max);

#endif
