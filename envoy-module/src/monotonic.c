/* SPDX-License-Identifier: Apache-2.0 */
/* See monotonic.h. Any thread. */
#include "monotonic.h"

#define NANOSECONDS_PER_MS 1000000L

void jrv_monotonic_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

struct timespec jrv_monotonic_after(uint64_t milliseconds)
{
    struct timespec moment;

    clock_gettime(CLOCK_MONOTONIC, &moment);
    moment.tv_sec += (time_t)(milliseconds / 1000);
    moment.tv_nsec += (long)(milliseconds % 1000) * NANOSECONDS_PER_MS;
    if (moment.tv_nsec >= 1000 * NANOSECONDS_PER_MS) {
        moment.tv_sec++;
        moment.tv_nsec -= 1000 * NANOSECONDS_PER_MS;
    }
    return moment;
}

uint64_t jrv_monotonic_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)(now.tv_nsec / NANOSECONDS_PER_MS);
}

uint64_t jrv_monotonic_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
