/* SPDX-License-Identifier: Apache-2.0 */
/* The process leaves: old streams end, the gate closes, Java stops, the JVM goes, Envoy hears that
 * it may exit. */
#ifndef JRV_DRAIN_H
#define JRV_DRAIN_H

#include "envoy_abi.h"

/* Begins to leave, on a thread of its own, and calls `completion` with `context` exactly once when
 * no JVM is left, from any thread, perhaps before this returns. Called again (a second SIGTERM) it
 * only adds the other completion. If the stop takes longer than drain_timeout and 10 s it logs that
 * and ends the process with status 1. Main. */
void jrv_drain_start(envoy_completion completion, void *context);

#endif
