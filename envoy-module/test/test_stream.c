/* SPDX-License-Identifier: Apache-2.0 */
/* Streams from request to end: what crosses, what is sent, who holds what. */
#include <string.h>

#include "check.h"
#include "fake_envoy.h"
#include "owner.h"

static struct test_app app;
static struct fake_worker *worker;
static struct fake_stream *stream;

static void begin(const char *method, bool end)
{
    test_app_init(&app, 4, 1024);
    worker = fake_worker_new(0);
    stream = fake_stream_new(worker, &app.config);
    fake_stream_request(stream, method, "/", "a.test", end);
}

static void finish(void)
{
    fake_worker_free(worker);
    fake_stream_release(stream);
    CHECK_EQUAL(0, atomic_exchange(&fake_violations, 0));
    test_app_destroy(&app);
}

static void complete_is_head_body_and_end(void)
{
    begin("GET", true);
    struct jrv_event event = owner_poll(&app);
    CHECK_EQUAL(JRV_EVENT_NEW, event.kind);
    CHECK_EQUAL(JRV_EVENT_END_STREAM, event.flags);
    CHECK_EQUAL(1, jrv_admission_live(&app.app.admission));
    int commits = atomic_load(&fake_commits);
    owner_complete(event.stream, JRV_MESSAGE_RELEASES, "hello", "200", "x-a", "b", NULL);
    CHECK_EQUAL(commits + 1, atomic_load(&fake_commits));
    CHECK_EQUAL(1, jrv_admission_live(&app.app.admission));
    CHECK_EQUAL(1, fake_worker_run(worker));
    CHECK_TEXT(":status: 200\nx-a: b\n", stream->head);
    CHECK_TEXT("hello", stream->body.data);
    CHECK(stream->completed);
    CHECK_EQUAL(0, jrv_admission_live(&app.app.admission));
    CHECK_EQUAL(0, owner_poll(&app).kind);
    finish();
}

static void slot_waits_for_the_owner(void)
{
    begin("GET", true);
    struct jrv_event event = owner_poll(&app);
    owner_complete(event.stream, 0, "hello", "200", NULL);
    fake_worker_run(worker);
    CHECK_EQUAL(1, jrv_admission_live(&app.app.admission));
    struct jrv_event closed = owner_poll(&app);
    CHECK_EQUAL(JRV_EVENT_CLOSED, closed.kind);
    CHECK_EQUAL(JRV_END_COMPLETED, closed.flags);
    CHECK(closed.stream == event.stream);
    owner_release(event.stream);
    CHECK_EQUAL(0, jrv_admission_live(&app.app.admission));
    finish();
}

static void several_messages_are_one_commit(void)
{
    begin("GET", true);
    uint64_t id = owner_poll(&app).stream;
    int commits = atomic_load(&fake_commits);
    owner_head(id, 0, "200", "content-type", "text/plain", NULL);
    owner_data(id, 0, "one ", 4);
    owner_data(id, 0, "two", 3);
    owner_trailers(id, JRV_MESSAGE_RELEASES, "x-sum", "7", NULL);
    CHECK_EQUAL(commits + 1, atomic_load(&fake_commits));
    CHECK_EQUAL(1, fake_worker_run(worker));
    CHECK_TEXT("one two", stream->body.data);
    CHECK_TEXT("x-sum: 7\n", stream->trailers);
    finish();
}

static void client_gone_is_told_once(void)
{
    begin("GET", true);
    uint64_t id = owner_poll(&app).stream;
    fake_stream_disconnect(stream);
    struct jrv_event closed = owner_poll(&app);
    CHECK_EQUAL(JRV_EVENT_CLOSED, closed.kind);
    CHECK_EQUAL(JRV_END_CLIENT_GONE, closed.flags);
    owner_head(id, 0, "200", NULL);
    owner_data(id, JRV_MESSAGE_END_STREAM, "late", 4);
    owner_release(id);
    CHECK_EQUAL(0, owner_poll(&app).kind);
    CHECK_EQUAL(0, stream->status);
    finish();
}

static void remote_reset_is_a_client_that_left(void)
{
    begin("GET", true);
    uint64_t id = owner_poll(&app).stream;
    fake_stream_reset(stream, "http2.remote_reset");
    CHECK_EQUAL(JRV_END_CLIENT_GONE, owner_poll(&app).flags);
    owner_release(id);
    finish();
}

static void envoy_timeout_is_a_reset(void)
{
    begin("GET", true);
    uint64_t id = owner_poll(&app).stream;
    owner_head(id, 0, "200", NULL);
    fake_stream_envoy_reply(stream, 504);
    fake_worker_run(worker);
    CHECK_EQUAL(504, stream->status);
    CHECK_EQUAL(JRV_END_ENVOY_RESET, owner_poll(&app).flags);
    owner_release(id);
    finish();
}

static void over_the_limit_is_refused(void)
{
    begin("GET", true);
    struct fake_stream *others[4];
    for (int i = 0; i < 4; i++) {
        others[i] = fake_stream_new(worker, &app.config);
        fake_stream_request(others[i], "GET", "/", "a.test", true);
    }
    CHECK_EQUAL(503, others[3]->status);
    CHECK_TEXT("retry-after: 1\n", others[3]->head);
    CHECK_TEXT("Service Unavailable\n", others[3]->body.data);
    CHECK_EQUAL(1, jrv_admission_refused(&app.app.admission, JRV_ADMIT_FULL));
    for (int i = 0; i < 4; i++)
        owner_complete(owner_poll(&app).stream, JRV_MESSAGE_RELEASES, "", "200", NULL);
    CHECK_EQUAL(0, owner_poll(&app).kind);
    fake_worker_run(worker);
    for (int i = 0; i < 4; i++)
        fake_stream_release(others[i]);
    finish();
}

/* Refuses a request of this content type. */
static void refuse(const char *content_type)
{
    test_app_init(&app, 4, 1024);
    jrv_admission_set_gate(&app.app.admission, JRV_GATE_CLOSED);
    worker = fake_worker_new(0);
    stream = fake_stream_new(worker, &app.config);
    fake_stream_header(stream, "content-type", content_type);
    fake_stream_request(stream, "POST", "/service/method", "a.test", true);
}

static void grpc_is_refused_in_its_own_words(void)
{
    static const char *const types[] = {"application/grpc", "application/grpc+proto"};
    for (size_t i = 0; i < 2; i++) {
        refuse(types[i]);
        CHECK_EQUAL(200, stream->status);
        CHECK_TEXT(":status: 200\ncontent-type: application/grpc\ngrpc-status: 14\n"
                   "grpc-message: Service Unavailable\nretry-after: 1\n",
                   stream->head);
        CHECK_EQUAL(true, stream->ended);
        finish();
    }
    refuse("application/grpc-web");
    CHECK_EQUAL(503, stream->status);
    finish();
}

static void closed_gate_refuses(void)
{
    test_app_init(&app, 4, 1024);
    jrv_admission_set_gate(&app.app.admission, JRV_GATE_CLOSED);
    worker = fake_worker_new(0);
    stream = fake_stream_new(worker, &app.config);
    fake_stream_request(stream, "POST", "/", "a.test", false);
    CHECK_EQUAL(503, stream->status);
    CHECK_EQUAL(1, jrv_admission_refused(&app.app.admission, JRV_ADMIT_NOT_OPEN));
    finish();
}

static void bad_authority_never_reaches_the_owner(void)
{
    test_app_init(&app, 4, 1024);
    worker = fake_worker_new(0);
    stream = fake_stream_new(worker, &app.config);
    fake_stream_request(stream, "GET", "/", "a@b", true);
    CHECK_EQUAL(400, stream->status);
    CHECK_EQUAL(0, owner_poll(&app).kind);
    CHECK_EQUAL(1, jrv_admission_refused(&app.app.admission, JRV_ADMIT_BAD_AUTHORITY));
    finish();
}

static void stop_is_posted_once(void)
{
    begin("GET", true);
    owner_complete(owner_poll(&app).stream, JRV_MESSAGE_RELEASES, "", "204", NULL);
    fake_worker_run(worker);
    jrv_inbox_stop(&app.app.inboxes[0]);
    jrv_inbox_stop(&app.app.inboxes[0]);
    CHECK_EQUAL(JRV_EVENT_STOP, owner_poll(&app).kind);
    CHECK_EQUAL(0, owner_poll(&app).kind);
    finish();
}

int main(void)
{
    RUN(complete_is_head_body_and_end);
    RUN(slot_waits_for_the_owner);
    RUN(several_messages_are_one_commit);
    RUN(client_gone_is_told_once);
    RUN(remote_reset_is_a_client_that_left);
    RUN(envoy_timeout_is_a_reset);
    RUN(over_the_limit_is_refused);
    RUN(grpc_is_refused_in_its_own_words);
    RUN(closed_gate_refuses);
    RUN(bad_authority_never_reaches_the_owner);
    RUN(stop_is_posted_once);
    return check_report();
}
