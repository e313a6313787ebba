/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of both directions and the budget of the process. */
#include "credit.h"

#include "check.h"

static void request_window_is_spent_and_granted(void)
{
    struct jrv_request_credit credit;
    jrv_request_credit_init(&credit, 100);
    CHECK_EQUAL(100, jrv_request_credit_available(&credit));
    jrv_request_credit_spend(&credit, 60);
    CHECK_EQUAL(40, jrv_request_credit_available(&credit));
    CHECK_EQUAL(60, jrv_budget_in_use());
    jrv_request_credit_spend(&credit, 40);
    CHECK_EQUAL(0, jrv_request_credit_available(&credit));
    jrv_request_credit_grant(&credit, 10);
    jrv_request_credit_grant(&credit, 15);
    CHECK_EQUAL(25, jrv_request_credit_available(&credit));
    jrv_request_credit_close(&credit);
    CHECK_EQUAL(0, jrv_budget_in_use());
}

static void too_large_a_grant_is_cut(void)
{
    struct jrv_request_credit credit;
    jrv_request_credit_init(&credit, 100);
    jrv_request_credit_spend(&credit, 10);
    check_expect_assertions(1);
    jrv_request_credit_grant(&credit, 1000);
    CHECK_EQUAL(100, jrv_request_credit_available(&credit));
    CHECK_EQUAL(0, jrv_budget_in_use());
}

static void response_reports_half_windows(void)
{
    struct jrv_response_credit credit;
    jrv_response_credit_init(&credit, 100);
    CHECK_EQUAL(0, jrv_response_credit_take(&credit, 49));
    CHECK_EQUAL(50, jrv_response_credit_take(&credit, 1));
    CHECK_EQUAL(0, jrv_response_credit_take(&credit, 10));
    CHECK_EQUAL(210, jrv_response_credit_take(&credit, 200));
}

static void response_settles_by_the_chunk(void)
{
    struct jrv_response_credit credit;
    jrv_response_credit_init(&credit, 100);
    CHECK_EQUAL(0, jrv_response_credit_take(&credit, 49));
    CHECK_EQUAL(0, jrv_response_credit_settle(&credit));
    jrv_response_credit_init(&credit, 16 * JRV_CREDIT_CHUNK);
    CHECK_EQUAL(0, jrv_response_credit_take(&credit, JRV_CREDIT_CHUNK - 1));
    CHECK_EQUAL(0, jrv_response_credit_settle(&credit));
    CHECK_EQUAL(0, jrv_response_credit_take(&credit, 1));
    CHECK_EQUAL(JRV_CREDIT_CHUNK, jrv_response_credit_settle(&credit));
    CHECK_EQUAL(0, jrv_response_credit_settle(&credit));
}

static void a_spent_budget_leaves_one_chunk(void)
{
    struct jrv_request_credit first;
    struct jrv_request_credit second;
    jrv_budget_raise(4 * JRV_CREDIT_CHUNK);
    jrv_budget_raise(1);
    jrv_request_credit_init(&first, 8 * JRV_CREDIT_CHUNK);
    jrv_request_credit_init(&second, 8 * JRV_CREDIT_CHUNK);
    jrv_request_credit_spend(&first, 4 * JRV_CREDIT_CHUNK);
    CHECK(jrv_budget_spent());
    CHECK(!jrv_budget_exhausted());
    CHECK_EQUAL(0, jrv_request_credit_available(&first));
    CHECK_EQUAL(JRV_CREDIT_CHUNK, jrv_request_credit_available(&second));
    jrv_request_credit_spend(&second, JRV_CREDIT_CHUNK);
    CHECK(jrv_budget_exhausted());
    CHECK_EQUAL(0, jrv_request_credit_available(&second));
    jrv_request_credit_close(&first);
    CHECK(!jrv_budget_spent());
    CHECK_EQUAL(7 * JRV_CREDIT_CHUNK, jrv_request_credit_available(&second));
    jrv_request_credit_close(&second);
    CHECK_EQUAL(0, jrv_budget_in_use());
}

int main(void)
{
    RUN(request_window_is_spent_and_granted);
    RUN(too_large_a_grant_is_cut);
    RUN(response_reports_half_windows);
    RUN(response_settles_by_the_chunk);
    RUN(a_spent_budget_leaves_one_chunk);
    return check_report();
}
