/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that each side may still send, per stream and direction, and the budget of the whole
 * process.
 *
 * Request: the worker spends credit when it hands bytes to the owner and gets it back by CREDIT
 * messages. Response: the owner spends, and the worker gives back by CREDIT events for what it
 * handed to Envoy.
 */
#ifndef JRV_CREDIT_H
#define JRV_CREDIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What a stream may hold while the process is over its budget: one chunk. */
#define JRV_CREDIT_CHUNK 16384u

/* ---- Request direction. Worker. ---- */

struct jrv_request_credit {
    uint64_t window;
    uint64_t outstanding; /* Handed to the owner and not credited yet. */
};

void jrv_request_credit_init(struct jrv_request_credit *credit, uint64_t window);

/* Bytes that may be handed over now. */
uint64_t jrv_request_credit_available(const struct jrv_request_credit *credit);

/* `bytes` were handed over; counts them in the budget. */
void jrv_request_credit_spend(struct jrv_request_credit *credit, uint64_t bytes);

/* The app consumed `bytes`; takes them out of the budget. */
void jrv_request_credit_grant(struct jrv_request_credit *credit, uint64_t bytes);

/* The stream is over: what is outstanding leaves the budget. */
void jrv_request_credit_close(struct jrv_request_credit *credit);

/* ---- Response direction. Worker. ---- */

struct jrv_response_credit {
    uint64_t window;
    uint64_t taken; /* Handed to Envoy since the last CREDIT event. */
};

void jrv_response_credit_init(struct jrv_response_credit *credit, uint64_t window);

/* `bytes` went to Envoy (or were dropped on purpose). Returns how many to report now: 0 until half
 * a window has come together, so that a writer that stands at zero always gets a report. */
uint64_t jrv_response_credit_take(struct jrv_response_credit *credit, uint64_t bytes);

/* The worker stops sending for now. Returns how many bytes to report of those that have come
 * together: 0 unless they are a chunk (or half a window, if that is less). A writer that is held to
 * one chunk waits for this. */
uint64_t jrv_response_credit_settle(struct jrv_response_credit *credit);

/* ---- The process. Any thread. ---- */

/* Most body bytes of the process; the largest value that any app asked for is in force. */
void jrv_budget_raise(uint64_t bytes);

void jrv_budget_add(uint64_t bytes);
void jrv_budget_subtract(uint64_t bytes);

/* Body bytes between Envoy and the apps. */
uint64_t jrv_budget_in_use(void);

/* The budget is spent: streams are held to one chunk each. */
bool jrv_budget_spent(void);

/* A quarter more than the budget is spent: no stream is admitted. */
bool jrv_budget_exhausted(void);

#endif
