/* SPDX-License-Identifier: Apache-2.0 */
/* Admission: see admission.h for the threads. */
#include "admission.h"

#include "app.h"
#include "credit.h"

#define GATE_MASK 0xffu
#define GENERATION_SHIFT 8

static enum jrv_gate gate_of(uint32_t state)
{
    return (enum jrv_gate)(state & GATE_MASK);
}

static uint8_t generation_of(uint32_t state)
{
    return (uint8_t)(state >> GENERATION_SHIFT);
}

void jrv_admission_init(struct jrv_admission *admission, uint32_t limit)
{
    for (int i = 0; i < 2; i++)
        atomic_init(&admission->live[i], 0);
    for (int i = 0; i < JRV_ADMIT_COUNT; i++)
        atomic_init(&admission->refused[i], 0);
    atomic_init(&admission->state, JRV_GATE_NOT_READY);
    admission->limit = limit;
}

void jrv_admission_set_gate(struct jrv_admission *admission, enum jrv_gate gate)
{
    /* seq_cst pairs with the second load of state in enter: either the worker sees the new gate and
     * takes its slot back, or its slot is visible to whoever counts after this. */
    uint32_t state = atomic_load(&admission->state);
    while (!atomic_compare_exchange_weak(&admission->state, &state,
                                         (state & ~GATE_MASK) | (uint32_t)gate)) {
    }
}

void jrv_admission_start_drain(struct jrv_admission *admission)
{
    atomic_fetch_or(&admission->state, 1u << GENERATION_SHIFT);
}

enum jrv_gate jrv_admission_gate(const struct jrv_admission *admission)
{
    return gate_of(atomic_load(&admission->state));
}

uint32_t jrv_admission_live(const struct jrv_admission *admission)
{
    return atomic_load(&admission->live[0]) + atomic_load(&admission->live[1]);
}

uint32_t jrv_admission_live_before_drain(const struct jrv_admission *admission)
{
    return atomic_load(&admission->live[0]);
}

uint64_t jrv_admission_refused(const struct jrv_admission *admission, enum jrv_admit reason)
{
    return atomic_load_explicit(&admission->refused[reason], memory_order_relaxed);
}

void jrv_admission_count_refusal(struct jrv_admission *admission, enum jrv_admit reason)
{
    atomic_fetch_add_explicit(&admission->refused[reason], 1, memory_order_relaxed);
}

static enum jrv_admit refuse(struct jrv_admission *admission, enum jrv_admit reason)
{
    jrv_admission_count_refusal(admission, reason);
    return reason;
}

enum jrv_admit jrv_admission_enter(struct jrv_admission *admission, uint8_t *generation)
{
    if (jrv_budget_exhausted())
        return refuse(admission, JRV_ADMIT_BYTES);
    uint32_t state = atomic_load(&admission->state);
    for (;;) {
        if (gate_of(state) != JRV_GATE_OPEN)
            return refuse(admission, JRV_ADMIT_NOT_OPEN);
        uint8_t mine = generation_of(state);
        uint32_t before = atomic_fetch_add(&admission->live[mine], 1);
        uint32_t others = atomic_load_explicit(&admission->live[1 - mine], memory_order_relaxed);
        if (before + others >= admission->limit) {
            jrv_admission_leave(admission, mine);
            return refuse(admission, JRV_ADMIT_FULL);
        }
        uint32_t now = atomic_load(&admission->state);
        if (now == state) {
            *generation = mine;
            return JRV_ADMIT_YES;
        }
        /* The gate or the generation changed meanwhile: the slot might be counted by nobody. */
        jrv_admission_leave(admission, mine);
        state = now;
    }
}

void jrv_admission_leave(struct jrv_admission *admission, uint8_t generation)
{
    uint32_t before = atomic_fetch_sub(&admission->live[generation], 1);
    /* Read after the slot is back (seq_cst pairs with set_gate and start_drain): a drain that did
     * not see this slot go is one that this sees. */
    if (before == 1 && atomic_load(&admission->state) != JRV_GATE_OPEN)
        jrv_apps_quiet();
}
