/* SPDX-License-Identifier: Apache-2.0 */
/* See placement.h. Worker; the owners' clocks are read without a lock, so a choice may be a little
 * out of date: any owner is right, only some are faster. */
#include "placement.h"

#include <stdbool.h>

#include "envoy_abi.h"
#include "monotonic.h"

/* How many of the app's owners are the worker's own: those whose index modulo the workers is the
 * worker's. There are more owners than workers. */
static uint32_t owners_of(const struct jrv_app *app, uint32_t worker)
{
    return (app->owners - worker + app->workers - 1) / app->workers;
}

static uint32_t home_of(const struct jrv_app *app, uint32_t worker)
{
    static _Thread_local uint32_t turn;

    worker %= app->workers;
    if (app->owners <= app->workers)
        return worker % app->owners;
    return worker + app->workers * (turn++ % owners_of(app, worker));
}

/* How bad an owner is for a new stream. One is better than another if it is this many times less
 * bad: a little less is no reason to leave home. */
enum { GAIN = 4, ASLEEP = 0, AWAKE = GAIN };

/* An owner whose thread has lost its core for a moment looks held, too: differences below this say
 * nothing. */
#define HELD_AT_LEAST_NS (UINT64_C(2500) * 1000)

/* ASLEEP, AWAKE, or for one that is held how long, in nanoseconds: whoever kept it that long may
 * keep it as long again. */
static uint64_t busy(struct jrv_inbox *inbox, uint64_t now)
{
    if (atomic_load_explicit(&inbox->lost, memory_order_relaxed))
        return UINT64_MAX;
    uint64_t turn = jrv_inbox_turn_ns(inbox, now);
    if (turn > JRV_PLACEMENT_HELD_NS)
        return turn > HELD_AT_LEAST_NS ? turn : HELD_AT_LEAST_NS;
    return atomic_load_explicit(&inbox->sleeping, memory_order_relaxed) != 0 ? ASLEEP : AWAKE;
}

struct jrv_inbox *jrv_placement_inbox(struct jrv_app *app, void *envoy)
{
    uint32_t home, best;
    uint64_t now, least, good;

    if (app->owners == 1)
        return &app->inboxes[0];
    home = best = home_of(app, envoy_dynamic_module_callback_http_filter_get_worker_index(envoy));
    now = jrv_monotonic_now_ns();
    least = busy(&app->inboxes[home], now);
    /* A worker that has one owner stays with it while that one keeps up: it is warm, and mostly
     * awake. A worker that has several had better find one that sleeps. */
    good = app->owners > app->workers ? ASLEEP : AWAKE;
    if (least <= good)
        return &app->inboxes[home];
    for (uint32_t i = 1; i < app->owners; i++) {
        uint32_t at = (home + i) % app->owners;
        uint64_t other = busy(&app->inboxes[at], now);
        if (other < least / GAIN) {
            least = other;
            best = at;
        }
    }
    return &app->inboxes[best];
}
