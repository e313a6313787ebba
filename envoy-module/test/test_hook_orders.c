/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of hooks that Envoy produces and that a straight reading of its interface does not
 * suggest. */
#include <string.h>

#include "check.h"
#include "exchange.h"
#include "natives.h"

static struct exchange x;

/* The connection manager builds the chain for early errors: there never is a request. */
static void error_before_the_request(void)
{
    for (int inline_destroy = 0; inline_destroy < 2; inline_destroy++) {
        exchange_begin(&x, 64);
        x.stream->destroy_inline = inline_destroy == 1;
        fake_stream_envoy_reply(x.stream, 400);
        CHECK_EQUAL(400, x.stream->status);
        exchange_finish(&x);
    }
}

static void connection_closed_before_the_request(void)
{
    exchange_begin(&x, 64);
    fake_stream_disconnect(x.stream);
    exchange_finish(&x);
}

static void trailers_and_body_without_a_request(void)
{
    exchange_begin(&x, 64);
    CHECK_EQUAL(ENVOY_BODY_STOP_NO_BUFFER, fake_stream_request_body(x.stream, "abc", 3, false));
    fake_stream_request_trailers(x.stream);
    fake_stream_disconnect(x.stream);
    exchange_finish(&x);
}

/* 1.39: destroy frees the filter inside the send that ended the response. */
static void destroy_inside_the_last_send(void)
{
    exchange_begin(&x, 64);
    x.stream->destroy_inline = true;
    exchange_request(&x, "GET", true);
    owner_complete(x.id, JRV_MESSAGE_RELEASES, "hello", "200", NULL);
    exchange_run(&x);
    CHECK(x.stream->destroyed);
    CHECK_TEXT("hello", x.stream->body.data);
    exchange_finish(&x);
}

static void destroy_inside_a_send_with_more_waiting(void)
{
    char lent[] = "lent";
    exchange_begin(&x, 64);
    x.stream->destroy_inline = true;
    exchange_request(&x, "GET", true);
    owner_head(x.id, 0, "200", NULL);
    exchange_run(&x);
    x.stream->disconnects_in_send = true;
    owner_data_by_reference(x.id, 0, lent, 4);
    owner_data(x.id, 0, "b", 1);
    owner_trailers(x.id, 0, "a", "b", NULL);
    exchange_run(&x);
    CHECK(x.stream->destroyed);
    CHECK_EQUAL(0, x.stream->body.length);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

static void client_gone_inside_the_head(void)
{
    exchange_begin(&x, 64);
    x.stream->destroy_inline = true;
    exchange_request(&x, "GET", true);
    x.stream->disconnects_in_send = true;
    owner_complete(x.id, 0, "hello", "200", NULL);
    exchange_run(&x);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

static void reset_destroys_inside(void)
{
    exchange_begin(&x, 64);
    x.stream->destroy_inline = true;
    exchange_request(&x, "GET", true);
    owner_head(x.id, 0, "200", NULL);
    owner_reset(x.id, JRV_MESSAGE_RELEASES, JRV_END_APP_ERROR);
    exchange_run(&x);
    CHECK(x.stream->destroyed);
    CHECK(x.stream->reset);
    exchange_finish(&x);
}

static void our_500_destroys_inside(void)
{
    exchange_begin(&x, 64);
    x.stream->destroy_inline = true;
    exchange_request(&x, "GET", true);
    owner_reset(x.id, JRV_MESSAGE_RELEASES, JRV_END_APP_ERROR);
    exchange_run(&x);
    CHECK(x.stream->destroyed);
    CHECK_EQUAL(500, x.stream->status);
    exchange_finish(&x);
}

static void refusal_destroys_after_the_hook(void)
{
    exchange_begin(&x, 64);
    x.stream->destroy_inline = true;
    jrv_admission_set_gate(&x.app.app.admission, JRV_GATE_CLOSED);
    fake_stream_request(x.stream, "GET", "/", "a.test", true);
    CHECK_EQUAL(503, x.stream->status);
    CHECK(x.stream->destroyed);
    exchange_finish(&x);
}

/* h2: the codec finishes later; complete comes well after our end. */
static void complete_long_after_the_end(void)
{
    exchange_begin(&x, 64);
    x.stream->zombie = true;
    exchange_request(&x, "GET", true);
    owner_complete(x.id, 0, "hello", "200", NULL);
    exchange_run(&x);
    CHECK_EQUAL(0, owner_poll(&x.app).kind);
    fake_stream_disconnect(x.stream);
    exchange_expect_closed(&x, JRV_END_COMPLETED);
    exchange_finish(&x);
}

/* Envoy refuses our head and answers by itself, inside send_response_headers. */
static void envoy_answers_inside_the_head(void)
{
    for (int zombie = 0; zombie < 2; zombie++) {
        exchange_begin(&x, 64);
        x.stream->answers_heads = true;
        x.stream->zombie = zombie == 1;
        exchange_request(&x, "GET", true);
        owner_complete(x.id, 0, "hello", "200", NULL);
        exchange_run(&x);
        CHECK_EQUAL(502, x.stream->status);
        CHECK_TEXT("from envoy", x.stream->body.data);
        fake_stream_complete(x.stream);
        exchange_expect_closed(&x, JRV_END_ENVOY_RESET);
        exchange_finish(&x);
    }
}

/* A request timeout while the body still comes: Envoy's reply, then complete. */
static void envoy_answers_while_the_body_comes(void)
{
    exchange_begin(&x, 2);
    exchange_request(&x, "POST", false);
    fake_stream_request_body(x.stream, "abc", 3, false);
    CHECK_EQUAL(2, owner_poll(&x.app).size);
    owner_credit(x.id, 2);
    fake_stream_envoy_reply(x.stream, 408);
    fake_worker_run_scheduled(x.worker);
    exchange_expect_closed(&x, JRV_END_ENVOY_RESET);
    exchange_finish(&x);
}

/* 1.40: an event may still be delivered between complete and the deferred destroy. */
static void scheduled_after_complete(void)
{
    exchange_begin(&x, 64);
    exchange_request(&x, "GET", true);
    owner_complete(x.id, 0, "hello", "200", NULL);
    fake_stream_disconnect(x.stream);
    CHECK_EQUAL(1, fake_worker_run_scheduled(x.worker));
    CHECK_EQUAL(0, x.stream->status);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

static void watermarks_after_complete(void)
{
    exchange_begin(&x, 64);
    exchange_request(&x, "GET", true);
    fake_stream_disconnect(x.stream);
    envoy_dynamic_module_on_http_filter_downstream_above_write_buffer_high_watermark(
        x.stream, x.stream->filter);
    envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(
        x.stream, x.stream->filter);
    exchange_expect_closed(&x, JRV_END_CLIENT_GONE);
    exchange_finish(&x);
}

/* The owner's last word arrives when Envoy has forgotten the stream. */
static void release_long_after_destroy(void)
{
    exchange_begin(&x, 64);
    x.stream->destroy_inline = true;
    exchange_request(&x, "GET", true);
    fake_stream_disconnect(x.stream);
    CHECK(x.stream->destroyed);
    owner_head(x.id, 0, "200", NULL);
    owner_data(x.id, JRV_MESSAGE_END_STREAM | JRV_MESSAGE_RELEASES, "late", 4);
    CHECK_EQUAL(0, jrv_admission_live(&x.app.app.admission));
    CHECK_EQUAL(JRV_EVENT_CLOSED, owner_poll(&x.app).kind);
    exchange_finish(&x);
}

/* Released before complete: no CLOSED, and the slot comes back with complete. */
static void release_before_complete(void)
{
    exchange_begin(&x, 64);
    exchange_request(&x, "GET", true);
    owner_complete(x.id, JRV_MESSAGE_RELEASES, "hello", "200", NULL);
    fake_stream_disconnect(x.stream);
    CHECK_EQUAL(0, jrv_admission_live(&x.app.app.admission));
    exchange_finish(&x);
}

/* The inbox goes while events that hold streams are still in it. */
static void events_never_polled_are_freed(void)
{
    exchange_begin(&x, 2);
    exchange_request(&x, "POST", false);
    fake_stream_request_body(x.stream, "ab", 2, false);
    owner_head(x.id, 0, "200", NULL);
    owner_data(x.id, 0, "abcd", 4);
    exchange_run(&x);
    fake_stream_disconnect(x.stream);
    owner_release(x.id);
    fake_worker_free(x.worker);
    fake_stream_release(x.stream);
    test_app_destroy(&x.app);
}

int main(void)
{
    RUN(error_before_the_request);
    RUN(connection_closed_before_the_request);
    RUN(trailers_and_body_without_a_request);
    RUN(destroy_inside_the_last_send);
    RUN(destroy_inside_a_send_with_more_waiting);
    RUN(client_gone_inside_the_head);
    RUN(reset_destroys_inside);
    RUN(our_500_destroys_inside);
    RUN(refusal_destroys_after_the_hook);
    RUN(complete_long_after_the_end);
    RUN(envoy_answers_inside_the_head);
    RUN(envoy_answers_while_the_body_comes);
    RUN(scheduled_after_complete);
    RUN(watermarks_after_complete);
    RUN(release_long_after_destroy);
    RUN(release_before_complete);
    RUN(events_never_polled_are_freed);
    return check_report();
}
