/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines that a change of the wall clock does not move. Any thread. */
#ifndef JRV_MONOTONIC_H
#define JRV_MONOTONIC_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* A condition whose timed waits count on CLOCK_MONOTONIC. */
void jrv_monotonic_condition_init(pthread_cond_t *condition);

/* The moment `milliseconds` from now, on CLOCK_MONOTONIC. */
struct timespec jrv_monotonic_after(uint64_t milliseconds);

/* Milliseconds since some fixed moment, on CLOCK_MONOTONIC. */
uint64_t jrv_monotonic_now_ms(void);

/* Nanoseconds since the same moment. */
uint64_t jrv_monotonic_now_ns(void);

#endif
