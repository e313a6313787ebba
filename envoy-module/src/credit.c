/* SPDX-License-Identifier: Apache-2.0 */
/* Credits and the process's budget; see credit.h for the threads. */
#include "credit.h"

#include "assertion.h"

/* The one counter that all streams with bodies share; a hello world never writes it. */
static _Atomic uint64_t in_use;
static _Atomic uint64_t limit;

void jrv_request_credit_init(struct jrv_request_credit *credit, uint64_t window)
{
    credit->window = window;
    credit->outstanding = 0;
}

uint64_t jrv_request_credit_available(const struct jrv_request_credit *credit)
{
    uint64_t window = credit->window;
    /* A stream that stops here has bytes outstanding, so a CREDIT will come and try again. */
    if (window > JRV_CREDIT_CHUNK && jrv_budget_spent())
        window = JRV_CREDIT_CHUNK;
    return window > credit->outstanding ? window - credit->outstanding : 0;
}

void jrv_request_credit_spend(struct jrv_request_credit *credit, uint64_t bytes)
{
    credit->outstanding += bytes;
    jrv_budget_add(bytes);
}

void jrv_request_credit_grant(struct jrv_request_credit *credit, uint64_t bytes)
{
    JRV_ASSERT(bytes <= credit->outstanding);
    if (bytes > credit->outstanding)
        bytes = credit->outstanding;
    credit->outstanding -= bytes;
    jrv_budget_subtract(bytes);
}

void jrv_request_credit_close(struct jrv_request_credit *credit)
{
    if (credit->outstanding == 0)
        return;
    jrv_budget_subtract(credit->outstanding);
    credit->outstanding = 0;
}

void jrv_response_credit_init(struct jrv_response_credit *credit, uint64_t window)
{
    credit->window = window;
    credit->taken = 0;
}

static uint64_t report_from(struct jrv_response_credit *credit, uint64_t least)
{
    if (credit->taken < least)
        return 0;
    uint64_t report = credit->taken;
    credit->taken = 0;
    return report;
}

uint64_t jrv_response_credit_take(struct jrv_response_credit *credit, uint64_t bytes)
{
    credit->taken += bytes;
    return report_from(credit, credit->window / 2);
}

uint64_t jrv_response_credit_settle(struct jrv_response_credit *credit)
{
    uint64_t half = credit->window / 2;
    return report_from(credit, half < JRV_CREDIT_CHUNK ? half : JRV_CREDIT_CHUNK);
}

void jrv_budget_raise(uint64_t bytes)
{
    uint64_t current = atomic_load(&limit);
    while (current < bytes && !atomic_compare_exchange_weak(&limit, &current, bytes)) {
    }
}

void jrv_budget_add(uint64_t bytes)
{
    atomic_fetch_add_explicit(&in_use, bytes, memory_order_relaxed);
}

void jrv_budget_subtract(uint64_t bytes)
{
    atomic_fetch_sub_explicit(&in_use, bytes, memory_order_relaxed);
}

uint64_t jrv_budget_in_use(void)
{
    return atomic_load_explicit(&in_use, memory_order_relaxed);
}

/* No limit until the first app has set one. */
static uint64_t limit_now(void)
{
    uint64_t most = atomic_load_explicit(&limit, memory_order_relaxed);
    return most != 0 ? most : UINT64_MAX / 2;
}

bool jrv_budget_spent(void)
{
    return jrv_budget_in_use() >= limit_now();
}

bool jrv_budget_exhausted(void)
{
    return jrv_budget_in_use() >= limit_now() + limit_now() / 4;
}
