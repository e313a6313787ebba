/* SPDX-License-Identifier: Apache-2.0 */
/* Early answers; see early_answer.h. Worker. */
#include "early_answer.h"

#include <string.h>

#include "envoy_abi.h"
#include "monotonic.h"
#include "reminder.h"
#include "request_record.h"
#include "stream.h"

/* A client that dribbles may go on for so many times the patience. */
#define LOOKS_MAX 10

static uint64_t patience_ms = 1000;

void jrv_early_answer_set_patience(uint64_t milliseconds)
{
    patience_ms = milliseconds;
}

void jrv_early_answer_init(struct jrv_early_answer *early, const struct jrv_request_facts *facts,
                           bool end)
{
    memset(early, 0, sizeof(*early));
    early->possible = !end && facts->http1 && !facts->upgrade;
    early->announced = facts->content_length;
}

/* False when nobody would come back to the stream. */
static bool look_later(struct jrv_stream *stream)
{
    struct jrv_early_answer *early = &stream->early_answer;
    early->looked = early->unwanted;
    early->look_at = jrv_monotonic_now_ms() + patience_ms;
    return jrv_reminder_set(stream, early->look_at);
}

/* What waits in Envoy would keep it from reading on. */
static void throw_away_buffered(struct jrv_stream *stream)
{
    size_t size = envoy_dynamic_module_callback_http_get_body_size(stream->envoy,
                                                                   ENVOY_BODY_BUFFERED_REQUEST);
    stream->early_answer.unwanted += size;
    if (size > 0)
        (void)envoy_dynamic_module_callback_http_drain_body(stream->envoy,
                                                            ENVOY_BODY_BUFFERED_REQUEST, size);
}

static bool begin(struct jrv_stream *stream)
{
    struct jrv_early_answer *early = &stream->early_answer;
    bool told = early->announced != UINT64_MAX;
    if (told && early->announced - early->received > JRV_EARLY_ANSWER_BYTES)
        return false;
    if (!look_later(stream))
        return false;
    throw_away_buffered(stream);
    early->waiting = true;
    return true;
}

static bool goes_on(struct jrv_stream *stream)
{
    struct jrv_early_answer *early = &stream->early_answer;
    if (early->unwanted > JRV_EARLY_ANSWER_BYTES)
        return false;
    if (jrv_monotonic_now_ms() < early->look_at)
        return true;
    return early->unwanted > early->looked && ++early->looks < LOOKS_MAX && look_later(stream);
}

bool jrv_early_answer_wait(struct jrv_stream *stream)
{
    struct jrv_early_answer *early = &stream->early_answer;
    if (!early->possible || stream->request_body.complete)
        return false;
    bool wait = early->waiting ? goes_on(stream) : begin(stream);
    early->possible = wait;
    return wait;
}

bool jrv_early_answer_received(struct jrv_stream *stream, uint64_t bytes, bool end)
{
    struct jrv_early_answer *early = &stream->early_answer;
    early->received += bytes;
    if (!early->waiting)
        return false;
    early->unwanted += bytes;
    stream->request_body.complete = end;
    /* Not from inside this hook: the answer's end may end the stream. */
    if (end || early->unwanted > JRV_EARLY_ANSWER_BYTES)
        jrv_outbox_recommit(&stream->outbox);
    return true;
}
