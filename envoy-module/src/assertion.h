/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that cost nothing in production: on in test builds (JRV_DEBUG), absent otherwise. Any
 * thread. */
#ifndef JRV_ASSERTION_H
#define JRV_ASSERTION_H

#ifdef JRV_DEBUG

/* Test builds only: provided by test/check.c, so that a test can expect a failure instead of dying
 * of it. */
void jrv_assertion_failed(const char *what, const char *file, int line);

#define JRV_ASSERT(condition)                                                                      \
    ((condition) ? (void)0 : jrv_assertion_failed(#condition, __FILE__, __LINE__))

/* We are in a hook of this stream's worker. */
#define JRV_ASSERT_WORKER(stream) JRV_ASSERT(pthread_equal((stream)->worker_thread, pthread_self()))

#else

#define JRV_ASSERT(condition) ((void)0)
#define JRV_ASSERT_WORKER(stream) ((void)0)

#endif

#endif
