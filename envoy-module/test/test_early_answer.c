/* SPDX-License-Identifier: Apache-2.0 */
/* Answers whose end comes before the request's: what waits on HTTP/1, for what, and for how long.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "early_answer.h"
#include "exchange.h"
#include "natives.h"

#define PATIENCE_MS 40

static struct exchange x;

static void begin(void)
{
    exchange_begin(&x, 1024);
    exchange_request(&x, "POST", false);
}

static void begin_with_length(const char *content_length)
{
    exchange_begin(&x, 1024);
    fake_stream_header(x.stream, "content-length", content_length);
    exchange_request(&x, "POST", false);
}

static void receive(size_t length, bool end)
{
    char *bytes = calloc(1, length + 1);
    fake_stream_request_body(x.stream, bytes, length, end);
    free(bytes);
}

static void answer(void)
{
    owner_complete(x.id, JRV_MESSAGE_RELEASES, "early", "200", "content-length", "5", NULL);
    exchange_run(&x);
}

static void expect_answer(void)
{
    exchange_run(&x);
    CHECK_EQUAL(200, x.stream->status);
    CHECK_TEXT("early", x.stream->body.data);
    CHECK(x.stream->ended);
    exchange_finish(&x);
}

static void pause_ms(long milliseconds)
{
    struct timespec span = {0, milliseconds * 1000000};
    nanosleep(&span, NULL);
}

/* Runs the worker until the answer has left, for two seconds at most; returns how many milliseconds
 * that took. */
static int wait_for_end(void)
{
    int waited = 0;
    while (!x.stream->ended && waited < 2000) {
        pause_ms(5);
        waited += 5;
        exchange_run(&x);
    }
    return waited;
}

static void whole_answer_waits_for_the_request(void)
{
    begin();
    answer();
    CHECK_EQUAL(0, x.stream->status);
    receive(600000, false);
    CHECK_EQUAL(600000, x.stream->discarded.length);
    exchange_run(&x);
    CHECK_EQUAL(0, x.stream->status);
    receive(0, true);
    /* Not inside the hook. */
    CHECK_EQUAL(0, x.stream->status);
    expect_answer();
}

static void request_trailers_end_the_wait(void)
{
    begin();
    answer();
    receive(10, false);
    fake_stream_request_trailers(x.stream);
    expect_answer();
}

static void what_waits_in_envoy_is_thrown_away(void)
{
    begin();
    receive(5000, false);
    CHECK_EQUAL(JRV_EVENT_BODY, owner_poll(&x.app).kind);
    CHECK_EQUAL(5000 - 1024, x.stream->buffered.length);
    answer();
    CHECK_EQUAL(0, x.stream->buffered.length);
    CHECK_EQUAL(0, x.stream->status);
    receive(1, true);
    expect_answer();
}

static void credit_while_waiting_brings_no_end(void)
{
    begin();
    receive(2000, false);
    CHECK_EQUAL(JRV_EVENT_BODY, owner_poll(&x.app).kind);
    owner_complete(x.id, 0, "early", "200", NULL);
    exchange_run(&x);
    receive(100, true);
    owner_credit(x.id, 1024);
    exchange_run(&x);
    exchange_expect_closed(&x, JRV_END_COMPLETED);
    expect_answer();
}

static void complete_request_does_not_wait(void)
{
    begin();
    receive(5000, true);
    CHECK_EQUAL(JRV_EVENT_BODY, owner_poll(&x.app).kind);
    answer();
    expect_answer();
}

static void head_and_data_do_not_wait(void)
{
    begin();
    owner_head(x.id, 0, "200", NULL);
    exchange_run(&x);
    CHECK_EQUAL(200, x.stream->status);
    owner_data(x.id, 0, "ea", 2);
    owner_data(x.id, JRV_MESSAGE_END_STREAM, "rly", 3);
    exchange_run(&x);
    CHECK_TEXT("early", x.stream->body.data);
    CHECK(!x.stream->ended);
    CHECK_EQUAL(0, jruvoy_native_inflight_body_bytes());
    receive(1, true);
    exchange_run(&x);
    exchange_expect_closed(&x, JRV_END_COMPLETED);
    expect_answer();
}

static void streamed_answer_that_is_whole_waits_with_its_head(void)
{
    begin();
    owner_head(x.id, 0, "200", NULL);
    owner_data(x.id, 0, "early", 5);
    owner_trailers(x.id, JRV_MESSAGE_RELEASES, "a", "b", NULL);
    exchange_run(&x);
    CHECK_EQUAL(0, x.stream->status);
    receive(1, true);
    exchange_run(&x);
    CHECK_TEXT("a: b\n", x.stream->trailers);
    expect_answer();
}

static void client_may_leave_inside_the_last_data(void)
{
    begin();
    owner_head(x.id, 0, "200", NULL);
    exchange_run(&x);
    x.stream->disconnects_in_send = true;
    owner_data(x.id, JRV_MESSAGE_END_STREAM, "early", 5);
    exchange_run(&x);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

static void client_may_leave_while_it_waits(void)
{
    begin();
    owner_complete(x.id, 0, "early", "200", NULL);
    exchange_run(&x);
    fake_stream_disconnect(x.stream);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

static void too_much_ends_the_wait(void)
{
    begin();
    answer();
    receive(JRV_EARLY_ANSWER_BYTES, false);
    exchange_run(&x);
    CHECK(!x.stream->ended);
    receive(1, false);
    expect_answer();
}

static void too_much_announced_is_not_waited_for(void)
{
    begin_with_length("1048577");
    answer();
    expect_answer();
}

static void only_the_rest_that_is_announced_counts(void)
{
    begin_with_length("1048676");
    receive(100, false);
    CHECK_EQUAL(JRV_EVENT_BODY, owner_poll(&x.app).kind);
    answer();
    CHECK(!x.stream->ended);
    receive(JRV_EARLY_ANSWER_BYTES, true);
    expect_answer();
}

static void silent_client_is_not_waited_for(void)
{
    begin();
    answer();
    CHECK(!x.stream->ended);
    int waited = wait_for_end();
    CHECK(waited < 1000);
    expect_answer();
}

static void slow_client_is_waited_for_while_it_sends(void)
{
    begin();
    answer();
    for (int i = 0; i < 3; i++) {
        receive(1, false);
        pause_ms(PATIENCE_MS + 20);
        exchange_run(&x);
        CHECK(!x.stream->ended);
    }
    wait_for_end();
    expect_answer();
}

static void http2_does_not_wait(void)
{
    exchange_begin(&x, 1024);
    x.stream->protocol = "HTTP/2";
    exchange_request(&x, "POST", false);
    answer();
    expect_answer();
}

static void upgrade_does_not_wait(void)
{
    exchange_begin(&x, 1024);
    fake_stream_header(x.stream, "upgrade", "websocket");
    exchange_request(&x, "GET", false);
    answer();
    expect_answer();
}

static void reset_does_not_wait(void)
{
    begin();
    owner_reset(x.id, JRV_MESSAGE_RELEASES, JRV_END_APP_ERROR);
    exchange_run(&x);
    CHECK_EQUAL(500, x.stream->status);
    exchange_finish(&x);
}

int main(void)
{
    jrv_early_answer_set_patience(PATIENCE_MS);
    RUN(silent_client_is_not_waited_for);
    RUN(slow_client_is_waited_for_while_it_sends);
    jrv_early_answer_set_patience(60000);
    RUN(whole_answer_waits_for_the_request);
    RUN(request_trailers_end_the_wait);
    RUN(what_waits_in_envoy_is_thrown_away);
    RUN(credit_while_waiting_brings_no_end);
    RUN(complete_request_does_not_wait);
    RUN(head_and_data_do_not_wait);
    RUN(streamed_answer_that_is_whole_waits_with_its_head);
    RUN(client_may_leave_inside_the_last_data);
    RUN(client_may_leave_while_it_waits);
    RUN(too_much_ends_the_wait);
    RUN(too_much_announced_is_not_waited_for);
    RUN(only_the_rest_that_is_announced_counts);
    RUN(http2_does_not_wait);
    RUN(upgrade_does_not_wait);
    RUN(reset_does_not_wait);
    return check_report();
}
