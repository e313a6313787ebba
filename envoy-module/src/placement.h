/* SPDX-License-Identifier: Apache-2.0 */
/* Which of an app's owners takes a new stream.
 *
 * Each worker has a home owner: its index modulo the number of owners; where owners exceed workers,
 * a worker has several and takes them in turn. A stream stays with its owner for good, so an owner
 * that is held (a long computation, a turn that lasts) is passed over: then one that sleeps takes
 * the stream, else the first that is not held. When all are held, one that has been held for much
 * less time than the home owner does (when that is more than a core lost for a moment), else the
 * home owner. Where owners exceed workers, one that sleeps is preferred to one that is awake, too.
 */
#ifndef JRV_PLACEMENT_H
#define JRV_PLACEMENT_H

#include <stdint.h>

#include "app.h"

/* An owner that has been at what it took last for longer is held: a few requests' time. */
#define JRV_PLACEMENT_HELD_NS (UINT64_C(250) * 1000)

/* The inbox for the new stream of filter `envoy`. Owned by the app. Worker, inside a hook. */
struct jrv_inbox *jrv_placement_inbox(struct jrv_app *app, void *envoy);

#endif
