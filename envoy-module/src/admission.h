/* SPDX-License-Identifier: Apache-2.0 */
/* May a stream cross to the owner: gate, slots and the two drain generations of one app.
 *
 * Slots are taken on workers and given back on a worker or the owner. No locks; embedded in struct
 * jrv_app.
 */
#ifndef JRV_ADMISSION_H
#define JRV_ADMISSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum jrv_gate {
    JRV_GATE_NOT_READY = 0, /* The app has not loaded yet. */
    JRV_GATE_OPEN = 1,
    JRV_GATE_CLOSED = 2 /* Drained, failed or stopping. */
};

enum jrv_admit {
    JRV_ADMIT_YES = 0,
    JRV_ADMIT_FULL = 1,          /* max_requests streams are in flight. */
    JRV_ADMIT_BYTES = 2,         /* The process holds too many body bytes. */
    JRV_ADMIT_NOT_OPEN = 3,      /* The gate is not open. */
    JRV_ADMIT_BAD_AUTHORITY = 4, /* Answered with 400; the others with 503, but for the next. */
    JRV_ADMIT_TUNNEL = 5,        /* A CONNECT to elsewhere; answered with 405. */
    JRV_ADMIT_COUNT = 6
};

struct jrv_admission {
    /* Slots in use, by generation: 0 admitted before the drain began, 1 after. Written by workers
     * and owner. */
    _Atomic uint32_t live[2];
    /* Read by workers, written by main and VM thread: the gate in bits 0 to 7, the generation in
     * bit 8. One word, so that a worker can see after taking a slot that neither has changed. */
    _Atomic uint32_t state;
    uint32_t limit;
    /* Refusals by reason (enum jrv_admit), for the metrics. */
    _Atomic uint64_t refused[JRV_ADMIT_COUNT];
};

/* ---- Main ---- */

/* No slot in use, gate not ready, generation 0. `limit`: most slots at once. */
void jrv_admission_init(struct jrv_admission *admission, uint32_t limit);

/* ---- Any thread ---- */

/* Sets the gate. After a close has returned, no stream is admitted that jrv_admission_live() does
 * not count. */
void jrv_admission_set_gate(struct jrv_admission *admission, enum jrv_gate gate);

/* From now on streams are admitted into generation 1. */
void jrv_admission_start_drain(struct jrv_admission *admission);

enum jrv_gate jrv_admission_gate(const struct jrv_admission *admission);

/* Slots in use. */
uint32_t jrv_admission_live(const struct jrv_admission *admission);

/* Slots in use of streams that were admitted before the drain began. */
uint32_t jrv_admission_live_before_drain(const struct jrv_admission *admission);

/* Streams refused for one reason so far. */
uint64_t jrv_admission_refused(const struct jrv_admission *admission, enum jrv_admit reason);

/* ---- Worker ---- */

/* Takes a slot, or says why not and counts it. `*generation` is for the matching leave. */
enum jrv_admit jrv_admission_enter(struct jrv_admission *admission, uint8_t *generation);

/* Counts a refusal that was decided elsewhere. */
void jrv_admission_count_refusal(struct jrv_admission *admission, enum jrv_admit reason);

/* ---- Worker or owner ---- */

/* Gives a slot back, and calls jrv_apps_quiet() when that may let a drain go on. The app is alive:
 * on a worker the stream's filter config holds it, on the owner Java does. */
void jrv_admission_leave(struct jrv_admission *admission, uint8_t generation);

#endif
