/* SPDX-License-Identifier: Apache-2.0 */
/* The one JVM of the process: when it starts, whether it runs, how it is stopped. It cannot be
 * started twice. */
#ifndef JRV_VM_H
#define JRV_VM_H

#include <jansson.h>
#include <stdint.h>

#include "fault.h"

/* ---- Main ---- */

/* Takes the effective bootstrap settings over and looks for a JDK. Call it at most once, before the
 * start; without it the environment decides. False with the reason when there is no usable JDK. */
bool jrv_vm_configure(const json_t *settings, struct jrv_fault *fault);

/* Starts the VM thread, if that has not happened yet. False with the reason when it cannot be. */
bool jrv_vm_start(struct jrv_fault *fault);

/* ---- Any thread but the VM's ---- */

/* Whether the VM thread is running. */
bool jrv_vm_running(void);

/* Ends the register (Java stops the owners that are left), then waits for the VM thread to destroy
 * the JVM, at most `milliseconds`, or minutes when jvm_options let it record. True when no JVM is
 * left. May be called again and from several threads. */
bool jrv_vm_stop(uint64_t milliseconds);

#endif
