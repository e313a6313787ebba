/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest test harness: CHECK inside functions that RUN calls. One thread, or threads that are
 * joined. */
#ifndef JRV_CHECK_H
#define JRV_CHECK_H

#include <stdbool.h>

/* Records a failure with its place; the test goes on. */
#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)

/* Compares two integers and shows both. */
#define CHECK_EQUAL(expected, actual)                                                              \
    check_equal((long long)(expected), (long long)(actual), #actual, __FILE__, __LINE__)

/* Compares two NUL-terminated texts and shows both. */
#define CHECK_TEXT(expected, actual) check_text((expected), (actual), #actual, __FILE__, __LINE__)

/* Runs `void test(void)` and counts it. */
#define RUN(test) check_run(#test, test)

void check_that(bool condition, const char *what, const char *file, int line);
void check_equal(long long expected, long long actual, const char *what, const char *file,
                 int line);
void check_text(const char *expected, const char *actual, const char *what, const char *file,
                int line);
void check_run(const char *name, void (*test)(void));

/* From now on `count` failures of JRV_ASSERT are part of the test; more, or fewer by its end, fail
 * it. */
void check_expect_assertions(int count);

/* Prints "N passed, N failed"; the program's exit status. */
int check_report(void);

#endif
