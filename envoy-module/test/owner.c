/* SPDX-License-Identifier: Apache-2.0 */
/* The owner's side in tests; see owner.h. */
#include "owner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "natives.h"

/* ---- The app ---- */

void test_app_init(struct test_app *app, uint32_t max_requests, uint64_t window_bytes)
{
    memset(app, 0, sizeof(*app));
    app->app.owners = 1;
    app->app.max_requests = max_requests;
    app->app.window_bytes = window_bytes;
    jrv_admission_init(&app->app.admission, max_requests);
    jrv_admission_set_gate(&app->app.admission, JRV_GATE_OPEN);
    CHECK(jrv_inbox_init(&app->app.inboxes[0]));
    atomic_init(&app->config.serving, &app->app);
}

void test_app_destroy(struct test_app *app)
{
    CHECK_EQUAL(0, jrv_admission_live(&app->app.admission));
    CHECK_EQUAL(0, jruvoy_native_inflight_body_bytes());
    jrv_inbox_destroy(&app->app.inboxes[0]);
}

/* ---- Events ---- */

struct jrv_event owner_poll(struct test_app *app)
{
    struct jrv_event event = {0};
    if (jruvoy_native_poll((int64_t)(intptr_t)&app->app.inboxes[0], (int64_t)(intptr_t)&event, 1) ==
        0)
        memset(&event, 0, sizeof(event));
    return event;
}

static const char *text_of(const char *record, struct jrv_span span)
{
    static _Thread_local char buffers[4][512];
    static _Thread_local int next;
    char *buffer = buffers[next++ % 4];
    snprintf(buffer, sizeof(buffers[0]), "%.*s", (int)span.length, record + span.offset);
    return buffer;
}

const char *owner_field(const struct jrv_event *event, enum jrv_record_field field)
{
    const struct jrv_record *record = (const struct jrv_record *)(uintptr_t)event->data;
    return text_of((const char *)record, record->fields[field]);
}

const char *owner_header(const struct jrv_event *event, const char *name)
{
    const struct jrv_record *record = (const struct jrv_record *)(uintptr_t)event->data;
    const struct jrv_span *table = (const struct jrv_span *)(record + 1);
    for (uint32_t i = 0; i < record->header_count; i++)
        if (strcmp(text_of((const char *)record, table[2 * i]), name) == 0)
            return text_of((const char *)record, table[2 * i + 1]);
    return "";
}

/* ---- Messages ---- */

struct builder {
    struct jrv_message message;
    uint32_t lengths[64];
    char bytes[8192];
    size_t used;
};

static void add_header(struct builder *builder, const char *name, const char *value)
{
    uint32_t *lengths = &builder->lengths[2 * builder->message.header_count++];
    lengths[0] = (uint32_t)strlen(name);
    lengths[1] = (uint32_t)strlen(value);
    memcpy(builder->bytes + builder->used, name, lengths[0]);
    memcpy(builder->bytes + builder->used + lengths[0], value, lengths[1]);
    builder->used += lengths[0] + lengths[1];
}

static void add_headers(struct builder *builder, va_list arguments)
{
    const char *name;
    while ((name = va_arg(arguments, const char *)) != NULL)
        add_header(builder, name, va_arg(arguments, const char *));
}

static void send_message(struct builder *builder, const char *body, size_t length)
{
    struct jrv_message *message = &builder->message;
    size_t table = message->header_count * 2 * sizeof(uint32_t);
    size_t total = (sizeof(*message) + table + builder->used + length + 7) / 8 * 8;
    char *memory = calloc(1, total);
    message->total = (uint32_t)total;
    memcpy(memory, message, sizeof(*message));
    memcpy(memory + sizeof(*message), builder->lengths, table);
    memcpy(memory + sizeof(*message) + table, builder->bytes, builder->used);
    if (length > 0)
        memcpy(memory + sizeof(*message) + table + builder->used, body, length);
    jruvoy_native_send((int64_t)(intptr_t)memory, (int32_t)total);
    free(memory);
}

static struct builder builder_of(enum jrv_message_kind kind, uint64_t stream, uint32_t flags)
{
    struct builder builder;
    memset(&builder, 0, sizeof(builder));
    builder.message.kind = kind;
    builder.message.stream = stream;
    builder.message.flags = flags;
    return builder;
}

void owner_head(uint64_t stream, uint32_t flags, const char *status, ...)
{
    struct builder builder = builder_of(JRV_MESSAGE_HEAD, stream, flags);
    va_list arguments;
    va_start(arguments, status);
    add_header(&builder, ":status", status);
    add_headers(&builder, arguments);
    va_end(arguments);
    send_message(&builder, NULL, 0);
}

void owner_complete(uint64_t stream, uint32_t flags, const char *body, const char *status, ...)
{
    struct builder builder = builder_of(JRV_MESSAGE_COMPLETE, stream, flags);
    va_list arguments;
    va_start(arguments, status);
    add_header(&builder, ":status", status);
    add_headers(&builder, arguments);
    va_end(arguments);
    builder.message.body_length = (uint32_t)strlen(body);
    send_message(&builder, body, strlen(body));
}

void owner_trailers(uint64_t stream, uint32_t flags, const char *name, ...)
{
    struct builder builder = builder_of(JRV_MESSAGE_TRAILERS, stream, flags);
    va_list arguments;
    va_start(arguments, name);
    add_header(&builder, name, va_arg(arguments, const char *));
    add_headers(&builder, arguments);
    va_end(arguments);
    send_message(&builder, NULL, 0);
}

void owner_data(uint64_t stream, uint32_t flags, const char *body, size_t length)
{
    struct builder builder = builder_of(JRV_MESSAGE_DATA, stream, flags);
    builder.message.body_length = (uint32_t)length;
    send_message(&builder, body, length);
}

void owner_data_by_reference(uint64_t stream, uint32_t flags, const char *body, size_t length)
{
    struct builder builder = builder_of(JRV_MESSAGE_DATA, stream, flags);
    builder.message.body_length = (uint32_t)length;
    builder.message.body = (uint64_t)(uintptr_t)body;
    send_message(&builder, NULL, 0);
}

void owner_reset(uint64_t stream, uint32_t flags, enum jrv_end_reason reason)
{
    struct builder builder = builder_of(JRV_MESSAGE_RESET, stream, flags);
    builder.message.credit = (uint32_t)reason;
    send_message(&builder, NULL, 0);
}

void owner_credit(uint64_t stream, uint32_t bytes)
{
    struct builder builder = builder_of(JRV_MESSAGE_CREDIT, stream, 0);
    builder.message.credit = bytes;
    send_message(&builder, NULL, 0);
}

void owner_release(uint64_t stream)
{
    struct builder builder = builder_of(JRV_MESSAGE_RELEASE, stream, 0);
    send_message(&builder, NULL, 0);
}
