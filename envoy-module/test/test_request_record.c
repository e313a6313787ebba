/* SPDX-License-Identifier: Apache-2.0 */
/* What of a request's head crosses, byte for byte. */
#include "request_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_envoy.h"
#include "owner.h"

static struct test_app app;
static struct fake_worker *worker;
static struct fake_stream *stream;

static void begin(void)
{
    test_app_init(&app, 4, 1024);
    worker = fake_worker_new(0);
    stream = fake_stream_new(worker, &app.config);
}

static void finish(void)
{
    fake_worker_run(worker);
    fake_stream_disconnect(stream);
    struct jrv_event event = owner_poll(&app);
    if (event.kind == JRV_EVENT_CLOSED)
        owner_release(event.stream);
    fake_worker_free(worker);
    fake_stream_release(stream);
    CHECK_EQUAL(0, atomic_exchange(&fake_violations, 0));
    test_app_destroy(&app);
}

static const struct jrv_record *record_of(const struct jrv_event *event)
{
    return (const struct jrv_record *)(uintptr_t)event->data;
}

static void fields_and_table(void)
{
    begin();
    fake_stream_header(stream, "accept", "*/*");
    fake_stream_header(stream, "x-empty", "");
    fake_stream_header(stream, "cookie", "a=1");
    fake_stream_header(stream, "cookie", "b=2");
    fake_stream_request(stream, "GET", "/p%20q?r=s", "a.test:81", true);
    struct jrv_event event = owner_poll(&app);
    CHECK_TEXT("GET", owner_field(&event, JRV_FIELD_METHOD));
    CHECK_TEXT("/p%20q?r=s", owner_field(&event, JRV_FIELD_PATH));
    CHECK_TEXT("a.test:81", owner_field(&event, JRV_FIELD_AUTHORITY));
    CHECK_TEXT("http", owner_field(&event, JRV_FIELD_SCHEME));
    CHECK_TEXT("HTTP/1.1", owner_field(&event, JRV_FIELD_PROTOCOL));
    CHECK_TEXT("192.0.2.7:4711", owner_field(&event, JRV_FIELD_REMOTE_ADDRESS));
    CHECK_EQUAL(4, record_of(&event)->header_count);
    CHECK_EQUAL(event.size, record_of(&event)->total);
    CHECK_EQUAL(0, event.data % 8);
    CHECK_TEXT("*/*", owner_header(&event, "accept"));
    CHECK_TEXT("", owner_header(&event, "x-empty"));
    CHECK_TEXT("a=1", owner_header(&event, "cookie"));
    CHECK_TEXT("", owner_header(&event, ":method"));
    CHECK_EQUAL(JRV_EVENT_END_STREAM, event.flags);
    finish();
}

static void scheme_is_that_of_the_connection(void)
{
    begin();
    stream->tls = "TLSv1.3";
    fake_stream_request(stream, "GET", "/", "a.test", true);
    struct jrv_event event = owner_poll(&app);
    CHECK_TEXT("https", owner_field(&event, JRV_FIELD_SCHEME));
    finish();
}

static void proxy_header_stays_outside(void)
{
    begin();
    fake_stream_header(stream, "proxy", "evil.test");
    fake_stream_header(stream, "proxy-connection", "x");
    fake_stream_request(stream, "GET", "/", "a.test", true);
    struct jrv_event event = owner_poll(&app);
    CHECK_EQUAL(1, record_of(&event)->header_count);
    CHECK_TEXT("x", owner_header(&event, "proxy-connection"));
    finish();
}

static void upgrades_are_flagged(void)
{
    begin();
    fake_stream_header(stream, "connection", "upgrade");
    fake_stream_header(stream, "upgrade", "websocket");
    fake_stream_request(stream, "GET", "/", "a.test", false);
    CHECK_EQUAL(JRV_EVENT_UPGRADE, owner_poll(&app).flags);
    finish();
    begin();
    fake_stream_header(stream, ":protocol", "websocket");
    fake_stream_request(stream, "CONNECT", "/", "a.test", false);
    CHECK_EQUAL(JRV_EVENT_UPGRADE, owner_poll(&app).flags);
    finish();
}

static void many_headers_cross(void)
{
    static char names[200][16];
    begin();
    for (int i = 0; i < 200; i++) {
        snprintf(names[i], sizeof(names[i]), "x-%d", i);
        fake_stream_header(stream, names[i], names[199 - i]);
    }
    fake_stream_request(stream, "GET", "/", "a.test", true);
    struct jrv_event event = owner_poll(&app);
    CHECK_EQUAL(200, record_of(&event)->header_count);
    CHECK_TEXT("x-0", owner_header(&event, "x-199"));
    finish();
}

static void old_clients_may_name_no_host(void)
{
    begin();
    stream->protocol = "HTTP/1.0";
    fake_stream_request(stream, "GET", "/", "", true);
    CHECK_EQUAL(JRV_EVENT_NEW, owner_poll(&app).kind);
    finish();
    begin();
    fake_stream_request(stream, "GET", "/", "", true);
    CHECK_EQUAL(400, stream->status);
    finish();
    begin();
    stream->protocol = "HTTP/2";
    fake_stream_request(stream, "GET", "/", NULL, true);
    CHECK_EQUAL(400, stream->status);
    finish();
}

static void tls_facts_cross(void)
{
    begin();
    stream->tls = "TLSv1.3";
    stream->server_name = "a.test";
    stream->peer_subject = "CN=me,O=Example";
    fake_stream_request(stream, "GET", "/", "a.test", true);
    struct jrv_event event = owner_poll(&app);
    CHECK_TEXT("TLSv1.3", owner_field(&event, JRV_FIELD_TLS_VERSION));
    CHECK_TEXT("a.test", owner_field(&event, JRV_FIELD_TLS_SERVER_NAME));
    CHECK_TEXT("CN=me,O=Example", owner_field(&event, JRV_FIELD_TLS_PEER_SUBJECT));
    finish();
}

static void tunnels_are_refused(void)
{
    begin();
    fake_stream_request(stream, "CONNECT", "", "a.test:443", false);
    CHECK_EQUAL(405, stream->status);
    CHECK_TEXT("allow: \n", stream->head);
    CHECK_EQUAL(0, owner_poll(&app).kind);
    finish();
    begin();
    stream->protocol = "HTTP/2";
    fake_stream_header(stream, ":protocol", "websocket");
    fake_stream_request(stream, "CONNECT", "/", "a.test", false);
    struct jrv_event event = owner_poll(&app);
    CHECK_EQUAL(JRV_EVENT_NEW, event.kind);
    CHECK_EQUAL(JRV_EVENT_UPGRADE, event.flags);
    finish();
}

int main(void)
{
    RUN(fields_and_table);
    RUN(scheme_is_that_of_the_connection);
    RUN(proxy_header_stays_outside);
    RUN(upgrades_are_flagged);
    RUN(many_headers_cross);
    RUN(old_clients_may_name_no_host);
    RUN(tls_facts_cross);
    RUN(tunnels_are_refused);
    return check_report();
}
