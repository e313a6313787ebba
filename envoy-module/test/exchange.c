/* SPDX-License-Identifier: Apache-2.0 */
/* One exchange; see exchange.h. */
#include "exchange.h"

#include "check.h"

void exchange_begin(struct exchange *exchange, uint64_t window_bytes)
{
    test_app_init(&exchange->app, 4, window_bytes);
    exchange->worker = fake_worker_new(0);
    exchange->stream = fake_stream_new(exchange->worker, &exchange->app.config);
    exchange->id = 0;
}

void exchange_request(struct exchange *exchange, const char *method, bool end)
{
    fake_stream_request(exchange->stream, method, "/", "a.test", end);
    struct jrv_event event = owner_poll(&exchange->app);
    CHECK_EQUAL(JRV_EVENT_NEW, event.kind);
    exchange->id = event.stream;
}

void exchange_run(struct exchange *exchange)
{
    while (fake_worker_run(exchange->worker) > 0) {
    }
}

void exchange_expect_closed(struct exchange *exchange, enum jrv_end_reason reason)
{
    struct jrv_event event = owner_poll(&exchange->app);
    CHECK_EQUAL(JRV_EVENT_CLOSED, event.kind);
    CHECK_EQUAL(reason, event.flags);
    CHECK(event.stream == exchange->id);
    owner_release(exchange->id);
}

void exchange_finish(struct exchange *exchange)
{
    CHECK_EQUAL(0, owner_poll(&exchange->app).kind);
    fake_worker_free(exchange->worker);
    fake_stream_release(exchange->stream);
    CHECK_EQUAL(0, atomic_exchange(&fake_violations, 0));
    test_app_destroy(&exchange->app);
}
