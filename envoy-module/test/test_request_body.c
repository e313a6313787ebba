/* SPDX-License-Identifier: Apache-2.0 */
/* Request bodies: in order, within the credit, one end, trailers last. */
#include <string.h>

#include "check.h"
#include "exchange.h"
#include "natives.h"

static struct exchange x;

/* The next event is BODY with these bytes. */
static void expect_body(const char *text, uint32_t flags)
{
    struct jrv_event event = owner_poll(&x.app);
    CHECK_EQUAL(JRV_EVENT_BODY, event.kind);
    CHECK_EQUAL(strlen(text), event.size);
    CHECK(event.size == strlen(text) &&
          memcmp((const char *)(uintptr_t)event.data, text, strlen(text)) == 0);
    CHECK_EQUAL(flags, event.flags);
    CHECK(event.stream == x.id);
}

static void receive(const char *text, bool end)
{
    CHECK_EQUAL(ENVOY_BODY_STOP_AND_WATERMARK,
                fake_stream_request_body(x.stream, text, strlen(text), end));
}

static void answer(void)
{
    owner_complete(x.id, JRV_MESSAGE_RELEASES, "ok", "200", NULL);
    exchange_run(&x);
    CHECK_EQUAL(200, x.stream->status);
}

static void chunks_arrive_while_they_come(void)
{
    exchange_begin(&x, 1024);
    exchange_request(&x, "POST", false);
    receive("one", false);
    expect_body("one", 0);
    receive("second", false);
    receive("", true);
    expect_body("second", 0);
    expect_body("", JRV_EVENT_END_STREAM);
    CHECK_EQUAL(9, jruvoy_native_inflight_body_bytes());
    CHECK_EQUAL(0, x.stream->buffered.length);
    answer();
    exchange_finish(&x);
}

static void last_chunk_carries_the_end(void)
{
    exchange_begin(&x, 1024);
    exchange_request(&x, "POST", false);
    receive("all", true);
    expect_body("all", JRV_EVENT_END_STREAM);
    answer();
    exchange_finish(&x);
}

static void rest_stays_in_envoy(void)
{
    exchange_begin(&x, 4);
    exchange_request(&x, "POST", false);
    receive("abcdef", false);
    expect_body("abcd", 0);
    CHECK_TEXT("ef", x.stream->buffered.data);
    receive("ghij", true);
    CHECK_TEXT("efghij", x.stream->buffered.data);
    CHECK_EQUAL(0, owner_poll(&x.app).kind);
    owner_credit(x.id, 1);
    owner_credit(x.id, 2);
    exchange_run(&x);
    expect_body("efg", 0);
    CHECK_EQUAL(4, jruvoy_native_inflight_body_bytes());
    owner_credit(x.id, 4);
    exchange_run(&x);
    expect_body("hij", JRV_EVENT_END_STREAM);
    answer();
    exchange_finish(&x);
}

static void credit_before_the_bytes_counts(void)
{
    exchange_begin(&x, 4);
    exchange_request(&x, "POST", false);
    receive("abcd", false);
    expect_body("abcd", 0);
    owner_credit(x.id, 4);
    exchange_run(&x);
    receive("efgh", false);
    expect_body("efgh", 0);
    receive("", true);
    expect_body("", JRV_EVENT_END_STREAM);
    answer();
    exchange_finish(&x);
}

static void buffered_and_received_keep_their_order(void)
{
    exchange_begin(&x, 4);
    exchange_request(&x, "POST", false);
    receive("abcdef", false);
    expect_body("abcd", 0);
    /* The credit arrives, but the next chunk is earlier than the scheduled hook. */
    owner_credit(x.id, 4);
    receive("gh", false);
    CHECK_EQUAL(0, owner_poll(&x.app).kind);
    exchange_run(&x);
    expect_body("efgh", 0);
    receive("", true);
    expect_body("", JRV_EVENT_END_STREAM);
    answer();
    exchange_finish(&x);
}

static void trailers_follow_the_body(void)
{
    exchange_begin(&x, 4);
    exchange_request(&x, "POST", false);
    receive("abcdef", false);
    fake_stream_trailer(x.stream, "x-sum", "21");
    fake_stream_trailer(x.stream, ":path", "/no");
    fake_stream_request_trailers(x.stream);
    expect_body("abcd", 0);
    CHECK_EQUAL(0, owner_poll(&x.app).kind);
    owner_credit(x.id, 4);
    exchange_run(&x);
    expect_body("ef", 0);
    struct jrv_event event = owner_poll(&x.app);
    CHECK_EQUAL(JRV_EVENT_TRAILERS, event.kind);
    CHECK(event.stream == x.id);
    CHECK_TEXT("21", owner_header(&event, "x-sum"));
    CHECK_EQUAL(1, ((const struct jrv_record *)(uintptr_t)event.data)->header_count);
    answer();
    exchange_finish(&x);
}

static void trailers_without_body(void)
{
    exchange_begin(&x, 4);
    exchange_request(&x, "POST", false);
    fake_stream_trailer(x.stream, "x-a", "b");
    fake_stream_request_trailers(x.stream);
    CHECK_EQUAL(JRV_EVENT_TRAILERS, owner_poll(&x.app).kind);
    answer();
    exchange_finish(&x);
}

static void trailers_not_delivered_are_freed(void)
{
    exchange_begin(&x, 4);
    exchange_request(&x, "POST", false);
    receive("abcdef", false);
    fake_stream_trailer(x.stream, "x-a", "b");
    fake_stream_request_trailers(x.stream);
    expect_body("abcd", 0);
    fake_stream_disconnect(x.stream);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

static void body_after_an_early_answer_is_dropped(void)
{
    exchange_begin(&x, 1024);
    x.stream->protocol = "HTTP/2";
    x.stream->zombie = true;
    exchange_request(&x, "POST", false);
    receive("abc", false);
    expect_body("abc", 0);
    answer();
    CHECK_EQUAL(ENVOY_BODY_STOP_NO_BUFFER, fake_stream_request_body(x.stream, "def", 3, true));
    CHECK_TEXT("def", x.stream->discarded.data);
    fake_stream_complete(x.stream);
    exchange_finish(&x);
}

static void body_of_a_refused_request_is_dropped(void)
{
    exchange_begin(&x, 1024);
    jrv_admission_set_gate(&x.app.app.admission, JRV_GATE_CLOSED);
    x.stream->zombie = true;
    fake_stream_request(x.stream, "POST", "/", "a.test", false);
    CHECK_EQUAL(503, x.stream->status);
    CHECK_EQUAL(ENVOY_BODY_STOP_NO_BUFFER, fake_stream_request_body(x.stream, "def", 3, false));
    fake_stream_request_trailers(x.stream);
    fake_stream_complete(x.stream);
    exchange_finish(&x);
}

static void late_credit_is_harmless(void)
{
    exchange_begin(&x, 4);
    exchange_request(&x, "POST", false);
    receive("abcdef", false);
    expect_body("abcd", 0);
    owner_credit(x.id, 4);
    fake_stream_disconnect(x.stream);
    fake_worker_run_scheduled(x.worker);
    owner_credit(x.id, 2);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

int main(void)
{
    RUN(chunks_arrive_while_they_come);
    RUN(last_chunk_carries_the_end);
    RUN(rest_stays_in_envoy);
    RUN(credit_before_the_bytes_counts);
    RUN(buffered_and_received_keep_their_order);
    RUN(trailers_follow_the_body);
    RUN(trailers_without_body);
    RUN(trailers_not_delivered_are_freed);
    RUN(body_after_an_early_answer_is_dropped);
    RUN(body_of_a_refused_request_is_dropped);
    RUN(late_credit_is_harmless);
    return check_report();
}
