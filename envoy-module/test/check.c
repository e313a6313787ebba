/* SPDX-License-Identifier: Apache-2.0 */
/* The harness; see check.h. Failures may come from any thread. */
#include "check.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "assertion.h"

static atomic_int failures; /* Of the running test. */
static atomic_int expected_assertions;
static int passed;
static int failed;

static void fail(const char *file, int line)
{
    atomic_fetch_add(&failures, 1);
    fprintf(stderr, "%s:%d: ", file, line);
}

void check_that(bool condition, const char *what, const char *file, int line)
{
    if (condition)
        return;
    fail(file, line);
    fprintf(stderr, "not so: %s\n", what);
}

void check_equal(long long expected, long long actual, const char *what, const char *file, int line)
{
    if (expected == actual)
        return;
    fail(file, line);
    fprintf(stderr, "%s is %lld instead of %lld\n", what, actual, expected);
}

void check_text(const char *expected, const char *actual, const char *what, const char *file,
                int line)
{
    if (strcmp(expected, actual) == 0)
        return;
    fail(file, line);
    fprintf(stderr, "%s is \"%s\" instead of \"%s\"\n", what, actual, expected);
}

void jrv_assertion_failed(const char *what, const char *file, int line)
{
    if (atomic_fetch_sub(&expected_assertions, 1) > 0)
        return;
    fail(file, line);
    fprintf(stderr, "assertion: %s\n", what);
}

void check_expect_assertions(int count)
{
    atomic_store(&expected_assertions, count);
}

void check_run(const char *name, void (*test)(void))
{
    atomic_store(&failures, 0);
    atomic_store(&expected_assertions, 0);
    test();
    if (atomic_load(&expected_assertions) > 0) {
        atomic_fetch_add(&failures, 1);
        fprintf(stderr, "an assertion that should fail did not\n");
    }
    if (atomic_load(&failures) == 0) {
        passed++;
        return;
    }
    failed++;
    fprintf(stderr, "FAILED: %s\n", name);
}

int check_report(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
