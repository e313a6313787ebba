/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what a process does once: each scenario gets a process of its own. */
#ifndef JRV_CHILD_H
#define JRV_CHILD_H

/* Runs `scenario` in a child. Returns its exit status: 0 when all its checks held, 1 when one did
 * not or the module ended the process so, 128 and the signal when it died of one, 99 when it took
 * more than 20 s. */
int child_run(void (*scenario)(void));

#endif
