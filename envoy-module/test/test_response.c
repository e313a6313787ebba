/* SPDX-License-Identifier: Apache-2.0 */
/* Responses: legal order whatever the owner says, no body where there is none, credits. */
#include <string.h>

#include "check.h"
#include "exchange.h"
#include "natives.h"

static struct exchange x;

static void begin(const char *method)
{
    exchange_begin(&x, 8);
    exchange_request(&x, method, true);
}

static void head_without_body_ends(void)
{
    begin("GET");
    owner_head(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "200", "content-length", "0",
               NULL);
    exchange_run(&x);
    CHECK(x.stream->ended);
    CHECK_EQUAL(0, x.stream->body.length);
    exchange_finish(&x);
}

static void empty_complete_ends_with_the_head(void)
{
    begin("GET");
    owner_complete(x.id, JRV_MESSAGE_RELEASES, "", "200", NULL);
    exchange_run(&x);
    CHECK(x.stream->ended);
    exchange_finish(&x);
}

static void head_requests_get_no_body(void)
{
    begin("HEAD");
    owner_complete(x.id, JRV_MESSAGE_RELEASES, "hello", "200", "content-length", "5", NULL);
    exchange_run(&x);
    CHECK_EQUAL(0, x.stream->body.length);
    CHECK_TEXT(":status: 200\ncontent-length: 5\n", x.stream->head);
    exchange_finish(&x);
}

static void statuses_without_body(void)
{
    static const char *const statuses[] = {"204", "304"};
    for (int i = 0; i < 2; i++) {
        begin("GET");
        owner_head(x.id, 0, statuses[i], NULL);
        owner_data(x.id, 0, "hello", 5);
        owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "you", 3);
        exchange_run(&x);
        CHECK(x.stream->ended);
        CHECK_EQUAL(0, x.stream->body.length);
        exchange_finish(&x);
    }
}

static void dropped_body_earns_credit(void)
{
    begin("HEAD");
    x.stream->zombie = true;
    owner_head(x.id, 0, "200", NULL);
    exchange_run(&x);
    CHECK(x.stream->ended);
    owner_data(x.id, 0, "12345678", 8);
    exchange_run(&x);
    struct jrv_event event = owner_poll(&x.app);
    CHECK_EQUAL(JRV_EVENT_CREDIT, event.kind);
    CHECK_EQUAL(8, event.size);
    owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "9", 1);
    exchange_run(&x);
    fake_stream_complete(x.stream);
    CHECK_EQUAL(0, x.stream->body.length);
    exchange_finish(&x);
}

static void switching_protocols_streams(void)
{
    exchange_begin(&x, 8);
    exchange_request(&x, "GET", false);
    owner_head(x.id, 0, "101", "upgrade", "echo", NULL);
    exchange_run(&x);
    CHECK_EQUAL(101, x.stream->status);
    CHECK(!x.stream->ended);
    owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "bye", 3);
    exchange_run(&x);
    CHECK_TEXT("bye", x.stream->body.data);
    exchange_finish(&x);
}

static void credit_comes_per_half_window(void)
{
    begin("GET");
    owner_head(x.id, 0, "200", NULL);
    owner_data(x.id, 0, "abc", 3);
    exchange_run(&x);
    CHECK_EQUAL(0, owner_poll(&x.app).kind);
    owner_data(x.id, 0, "d", 1);
    CHECK_EQUAL(1, jruvoy_native_inflight_body_bytes());
    exchange_run(&x);
    CHECK_EQUAL(0, jruvoy_native_inflight_body_bytes());
    struct jrv_event event = owner_poll(&x.app);
    CHECK_EQUAL(JRV_EVENT_CREDIT, event.kind);
    CHECK_EQUAL(4, event.size);
    owner_data(x.id, JRV_MESSAGE_END_STREAM, "efghijkl", 8);
    exchange_run(&x);
    exchange_expect_closed(&x, JRV_END_COMPLETED);
    CHECK_TEXT("abcdefghijkl", x.stream->body.data);
    exchange_finish(&x);
}

static void credits_not_polled_add_up(void)
{
    begin("GET");
    owner_head(x.id, 0, "200", NULL);
    owner_data(x.id, 0, "abcd", 4);
    exchange_run(&x);
    owner_data(x.id, 0, "efgh", 4);
    exchange_run(&x);
    struct jrv_event event = owner_poll(&x.app);
    CHECK_EQUAL(JRV_EVENT_CREDIT, event.kind);
    CHECK_EQUAL(8, event.size);
    CHECK_EQUAL(0, owner_poll(&x.app).kind);
    fake_stream_disconnect(x.stream);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

static void lent_bytes_are_copied_by_envoy(void)
{
    char lent[] = "lent bytes";
    begin("GET");
    owner_head(x.id, 0, "200", NULL);
    owner_data_by_reference(x.id, 0, lent, strlen(lent));
    exchange_run(&x);
    CHECK_EQUAL(JRV_EVENT_CREDIT, owner_poll(&x.app).kind);
    memset(lent, 'x', sizeof(lent) - 1);
    owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "", 0);
    exchange_run(&x);
    CHECK_TEXT("lent bytes", x.stream->body.data);
    CHECK(x.stream->ended);
    exchange_finish(&x);
}

static void empty_data_is_nothing(void)
{
    begin("GET");
    owner_head(x.id, 0, "200", NULL);
    owner_data(x.id, 0, "", 0);
    owner_trailers(x.id, JRV_MESSAGE_RELEASES, "a", "b", NULL);
    exchange_run(&x);
    CHECK_EQUAL(0, x.stream->body.length);
    CHECK_TEXT("a: b\n", x.stream->trailers);
    exchange_finish(&x);
}

static void reset_without_head_is_500(void)
{
    begin("GET");
    owner_reset(x.id, 0, JRV_END_NONE);
    exchange_run(&x);
    CHECK_EQUAL(500, x.stream->status);
    CHECK_TEXT("Internal Server Error\n", x.stream->body.data);
    exchange_expect_closed(&x, JRV_END_APP_ERROR);
    exchange_finish(&x);
}

static void reset_after_the_head_is_a_cut(void)
{
    begin("GET");
    owner_head(x.id, 0, "200", NULL);
    owner_data(x.id, 0, "half", 4);
    owner_reset(x.id, 0, JRV_END_DRAINED);
    exchange_run(&x);
    CHECK(x.stream->reset);
    CHECK_TEXT("half", x.stream->body.data);
    CHECK_EQUAL(JRV_EVENT_CREDIT, owner_poll(&x.app).kind);
    exchange_expect_closed(&x, JRV_END_DRAINED);
    exchange_finish(&x);
}

static void release_without_an_end_is_a_reset(void)
{
    begin("GET");
    owner_head(x.id, 0, "200", NULL);
    owner_release(x.id);
    exchange_run(&x);
    CHECK(x.stream->reset);
    exchange_finish(&x);
}

static void release_without_a_word_is_500(void)
{
    begin("GET");
    owner_release(x.id);
    exchange_run(&x);
    CHECK_EQUAL(500, x.stream->status);
    exchange_finish(&x);
}

static void data_before_the_head_is_illegal(void)
{
    begin("GET");
    check_expect_assertions(1);
    owner_data(x.id, 0, "oops", 4);
    exchange_run(&x);
    CHECK_EQUAL(500, x.stream->status);
    exchange_expect_closed(&x, JRV_END_APP_ERROR);
    exchange_finish(&x);
}

static void second_head_is_illegal(void)
{
    begin("GET");
    check_expect_assertions(1);
    owner_head(x.id, 0, "200", NULL);
    owner_complete(x.id, 0, "again", "200", NULL);
    exchange_run(&x);
    CHECK(x.stream->reset);
    exchange_expect_closed(&x, JRV_END_APP_ERROR);
    exchange_finish(&x);
}

static void illegal_bytes_never_leave(void)
{
    static const char *const bad[][2] = {
        {"x-a", "b\r\nset-cookie: c"},
        {"x-a", "b\nc"},
        {"x a", "b"},
        {"", "b"},
        {":path", "/"},
        {"x-a", "\x7f"},
        {"x:a", "b"},
        {"x-\xe9", "b"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        begin("GET");
        check_expect_assertions(1);
        owner_complete(x.id, 0, "hello", "200", bad[i][0], bad[i][1], NULL);
        exchange_run(&x);
        CHECK_EQUAL(500, x.stream->status);
        exchange_expect_closed(&x, JRV_END_APP_ERROR);
        exchange_finish(&x);
    }
}

static void illegal_statuses_never_leave(void)
{
    static const char *const bad[] = {"100", "103", "199", "99", "2000", "20x", "", "-20"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        begin("GET");
        check_expect_assertions(1);
        owner_head(x.id, JRV_MESSAGE_END_STREAM, bad[i], NULL);
        exchange_run(&x);
        CHECK_EQUAL(500, x.stream->status);
        exchange_expect_closed(&x, JRV_END_APP_ERROR);
        exchange_finish(&x);
    }
}

static void lengths_that_lie_are_a_reset(void)
{
    struct {
        struct jrv_message message;
        uint32_t lengths[2];
    } lie = {{.total = sizeof(lie), .kind = JRV_MESSAGE_HEAD, .header_count = 1}, {7, 4000000000u}};
    begin("GET");
    check_expect_assertions(1);
    lie.message.stream = x.id;
    jruvoy_native_send((int64_t)(intptr_t)&lie, sizeof(lie));
    exchange_run(&x);
    CHECK_EQUAL(500, x.stream->status);
    exchange_expect_closed(&x, JRV_END_APP_ERROR);
    exchange_finish(&x);
}

int main(void)
{
    RUN(head_without_body_ends);
    RUN(empty_complete_ends_with_the_head);
    RUN(head_requests_get_no_body);
    RUN(statuses_without_body);
    RUN(dropped_body_earns_credit);
    RUN(switching_protocols_streams);
    RUN(credit_comes_per_half_window);
    RUN(credits_not_polled_add_up);
    RUN(lent_bytes_are_copied_by_envoy);
    RUN(empty_data_is_nothing);
    RUN(reset_without_head_is_500);
    RUN(reset_after_the_head_is_a_cut);
    RUN(release_without_an_end_is_a_reset);
    RUN(release_without_a_word_is_500);
    RUN(data_before_the_head_is_illegal);
    RUN(second_head_is_illegal);
    RUN(illegal_bytes_never_leave);
    RUN(illegal_statuses_never_leave);
    RUN(lengths_that_lie_are_a_reset);
    return check_report();
}
