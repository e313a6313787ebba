/* SPDX-License-Identifier: Apache-2.0 */
/* A client that does not read: what waits, what does not, and where sending goes on. */
#include <string.h>

#include "check.h"
#include "exchange.h"
#include "natives.h"

static struct exchange x;

static void begin(void)
{
    exchange_begin(&x, 1024);
    x.stream->high_mark = 4;
    exchange_request(&x, "GET", true);
    owner_head(x.id, 0, "200", NULL);
}

static void waits_above_and_goes_on_below(void)
{
    begin();
    owner_data(x.id, 0, "abcdef", 6);
    owner_data(x.id, 0, "ghi", 3);
    owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "jkl", 3);
    exchange_run(&x);
    CHECK_TEXT("abcdef", x.stream->body.data);
    CHECK_EQUAL(6, jruvoy_native_inflight_body_bytes());
    fake_stream_client_reads(x.stream, 3);
    CHECK_EQUAL(0, fake_worker_run(x.worker));
    fake_stream_client_reads(x.stream, 3);
    CHECK_TEXT("abcdef", x.stream->body.data);
    CHECK_EQUAL(1, fake_worker_run(x.worker));
    CHECK_TEXT("abcdefghijkl", x.stream->body.data);
    CHECK(x.stream->ended);
    exchange_finish(&x);
}

static void below_with_nothing_waiting_does_not_commit(void)
{
    begin();
    owner_data(x.id, 0, "abcdef", 6);
    exchange_run(&x);
    int commits = atomic_load(&fake_commits);
    fake_stream_client_reads(x.stream, 6);
    CHECK_EQUAL(commits, atomic_load(&fake_commits));
    owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "g", 1);
    exchange_run(&x);
    CHECK_TEXT("abcdefg", x.stream->body.data);
    exchange_finish(&x);
}

static void levels_are_counted(void)
{
    begin();
    exchange_run(&x);
    void *filter = x.stream->filter;
    envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(x.stream,
                                                                                    filter);
    envoy_dynamic_module_on_http_filter_downstream_above_write_buffer_high_watermark(x.stream,
                                                                                     filter);
    envoy_dynamic_module_on_http_filter_downstream_above_write_buffer_high_watermark(x.stream,
                                                                                     filter);
    owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "a", 1);
    exchange_run(&x);
    envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(x.stream,
                                                                                    filter);
    exchange_run(&x);
    CHECK_EQUAL(0, x.stream->body.length);
    envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(x.stream,
                                                                                    filter);
    exchange_run(&x);
    CHECK_TEXT("a", x.stream->body.data);
    exchange_finish(&x);
}

static void above_and_below_inside_one_send(void)
{
    begin();
    x.stream->drains_in_send = true;
    owner_data(x.id, 0, "abcdef", 6);
    owner_data(x.id, 0, "ghijkl", 6);
    owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "m", 1);
    exchange_run(&x);
    CHECK_TEXT("abcdefghijklm", x.stream->body.data);
    exchange_finish(&x);
}

/* Envoy replays a level that was reached before the filter existed. */
static void above_before_the_request(void)
{
    exchange_begin(&x, 1024);
    envoy_dynamic_module_on_http_filter_downstream_above_write_buffer_high_watermark(
        x.stream, x.stream->filter);
    exchange_request(&x, "GET", true);
    owner_complete(x.id, JRV_MESSAGE_RELEASES, "hello", "200", NULL);
    exchange_run(&x);
    CHECK_EQUAL(0, x.stream->status);
    envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(
        x.stream, x.stream->filter);
    exchange_run(&x);
    CHECK_EQUAL(200, x.stream->status);
    exchange_finish(&x);
}

static void a_reset_does_not_wait(void)
{
    begin();
    owner_data(x.id, 0, "abcdef", 6);
    owner_data(x.id, 0, "never", 5);
    exchange_run(&x);
    owner_reset(x.id, 0, JRV_END_DRAINED);
    exchange_run(&x);
    CHECK(x.stream->reset);
    CHECK_TEXT("abcdef", x.stream->body.data);
    exchange_expect_closed(&x, JRV_END_DRAINED);
    CHECK_EQUAL(0, jruvoy_native_inflight_body_bytes());
    exchange_finish(&x);
}

static void client_gone_while_waiting(void)
{
    char lent[] = "lent";
    begin();
    owner_data(x.id, 0, "abcdef", 6);
    owner_data_by_reference(x.id, JRV_MESSAGE_END_STREAM, lent, 4);
    exchange_run(&x);
    fake_stream_disconnect(x.stream);
    CHECK_EQUAL(0, jruvoy_native_inflight_body_bytes());
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

static void request_body_moves_while_the_response_waits(void)
{
    exchange_begin(&x, 4);
    x.stream->high_mark = 4;
    exchange_request(&x, "POST", false);
    owner_head(x.id, 0, "200", NULL);
    owner_data(x.id, 0, "abcdef", 6);
    owner_data(x.id, 0, "g", 1);
    exchange_run(&x);
    CHECK_EQUAL(JRV_EVENT_CREDIT, owner_poll(&x.app).kind);
    fake_stream_request_body(x.stream, "12345", 5, true);
    CHECK_EQUAL(4, owner_poll(&x.app).size);
    owner_credit(x.id, 4);
    exchange_run(&x);
    CHECK_EQUAL(1, owner_poll(&x.app).size);
    CHECK_TEXT("abcdef", x.stream->body.data);
    owner_reset(x.id, JRV_MESSAGE_RELEASES, JRV_END_APP_ERROR);
    exchange_run(&x);
    exchange_finish(&x);
}

int main(void)
{
    RUN(waits_above_and_goes_on_below);
    RUN(below_with_nothing_waiting_does_not_commit);
    RUN(levels_are_counted);
    RUN(above_and_below_inside_one_send);
    RUN(above_before_the_request);
    RUN(a_reset_does_not_wait);
    RUN(client_gone_while_waiting);
    RUN(request_body_moves_while_the_response_waits);
    return check_report();
}
