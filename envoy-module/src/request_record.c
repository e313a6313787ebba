/* SPDX-License-Identifier: Apache-2.0 */
/* Request records; see request_record.h. Worker, in a hook. */
#include "request_record.h"

#include <string.h>

#include "allocation.h"
#include "authority.h"
#include "envoy_abi.h"
#include "inbox.h"

/* Requests with more headers than this take one more malloc. */
#define HEADERS_ON_STACK 128

struct head {
    struct envoy_view fields[JRV_FIELD_COUNT];
    struct envoy_header *headers; /* Of the table. */
    size_t header_count;
    bool connects;
    bool names_protocol;
};

#define IS(view_ptr, view_length, text)                                                            \
    ((view_length) == sizeof(text) - 1 && memcmp((view_ptr), (text), sizeof(text) - 1) == 0)

/* ---- Reading ---- */

static void fetch(void *envoy, enum envoy_header_type type, struct envoy_header *on_stack,
                  struct head *head)
{
    size_t count = envoy_dynamic_module_callback_http_get_headers_size(envoy, type);
    head->headers = count <= HEADERS_ON_STACK ? on_stack : jrv_allocate(count * sizeof(*on_stack));
    if (!envoy_dynamic_module_callback_http_get_headers(envoy, type, head->headers))
        count = 0;
    head->header_count = count;
}

static void forget(const struct envoy_header *on_stack, struct head *head)
{
    if (head->headers != on_stack)
        free(head->headers);
}

static void read_pseudo(struct head *head, const struct envoy_header *header,
                        struct jrv_request_facts *facts)
{
    struct envoy_view value = {header->value_ptr, header->value_length};
    if (IS(header->key_ptr, header->key_length, ":method")) {
        head->fields[JRV_FIELD_METHOD] = value;
        facts->head_only = IS(value.ptr, value.length, "HEAD");
        head->connects = IS(value.ptr, value.length, "CONNECT");
    } else if (IS(header->key_ptr, header->key_length, ":path")) {
        head->fields[JRV_FIELD_PATH] = value;
    } else if (IS(header->key_ptr, header->key_length, ":authority")) {
        head->fields[JRV_FIELD_AUTHORITY] = value;
    } else if (IS(header->key_ptr, header->key_length, ":protocol")) {
        facts->upgrade = true;
        head->names_protocol = true;
    }
}

/* Envoy has checked that it is a number. */
static uint64_t read_length(const struct envoy_header *header)
{
    uint64_t length = 0;
    for (size_t i = 0; i < header->value_length; i++)
        length = length * 10 + (uint64_t)(header->value_ptr[i] - '0');
    return length;
}

/* Sorts the fetched list into fields and table. */
static void sort(struct head *head, struct jrv_request_facts *facts)
{
    size_t kept = 0;
    for (size_t i = 0; i < head->header_count; i++) {
        const struct envoy_header *header = &head->headers[i];
        if (header->key_length == 0 || IS(header->key_ptr, header->key_length, "proxy"))
            continue;
        if (header->key_ptr[0] == ':') {
            read_pseudo(head, header, facts);
            continue;
        }
        if (IS(header->key_ptr, header->key_length, "upgrade") && header->value_length > 0)
            facts->upgrade = true;
        else if (IS(header->key_ptr, header->key_length, "content-length"))
            facts->content_length = read_length(header);
        head->headers[kept++] = *header;
    }
    head->header_count = kept;
    facts->tunnel = head->connects && !head->names_protocol;
}

static void read_connection(void *envoy, struct head *head)
{
    struct envoy_view *tls = &head->fields[JRV_FIELD_TLS_VERSION];
    (void)envoy_dynamic_module_callback_http_filter_get_attribute_string(
        envoy, ENVOY_ATTRIBUTE_REQUEST_PROTOCOL, &head->fields[JRV_FIELD_PROTOCOL]);
    (void)envoy_dynamic_module_callback_http_filter_get_attribute_string(
        envoy, ENVOY_ATTRIBUTE_SOURCE_ADDRESS, &head->fields[JRV_FIELD_REMOTE_ADDRESS]);
    bool secure = envoy_dynamic_module_callback_http_filter_get_attribute_string(
                      envoy, ENVOY_ATTRIBUTE_CONNECTION_TLS_VERSION, tls) &&
                  tls->length > 0;
    head->fields[JRV_FIELD_SCHEME] =
        secure ? (struct envoy_view){"https", 5} : (struct envoy_view){"http", 4};
    if (!secure)
        return;
    (void)envoy_dynamic_module_callback_http_filter_get_attribute_string(
        envoy, ENVOY_ATTRIBUTE_CONNECTION_SERVER_NAME, &head->fields[JRV_FIELD_TLS_SERVER_NAME]);
    (void)envoy_dynamic_module_callback_http_filter_get_attribute_string(
        envoy, ENVOY_ATTRIBUTE_CONNECTION_PEER_SUBJECT, &head->fields[JRV_FIELD_TLS_PEER_SUBJECT]);
}

static bool is_http1(struct envoy_view protocol)
{
    return protocol.length == 8 && memcmp(protocol.ptr, "HTTP/1.", 7) == 0;
}

/* HTTP/1.0 alone may come without an authority. */
static bool may_enter(const struct head *head)
{
    struct envoy_view authority = head->fields[JRV_FIELD_AUTHORITY];
    struct envoy_view protocol = head->fields[JRV_FIELD_PROTOCOL];
    if (authority.length == 0)
        return IS(protocol.ptr, protocol.length, "HTTP/1.0");
    return jrv_authority_legal(authority.ptr, authority.length);
}

/* ---- Writing ---- */

struct writer {
    char *record;
    uint32_t offset; /* Of the next byte. */
};

static struct jrv_span put(struct writer *writer, const char *bytes, size_t length)
{
    struct jrv_span span = {writer->offset, (uint32_t)length};
    if (length > 0)
        memcpy(writer->record + writer->offset, bytes, length);
    writer->offset += (uint32_t)length;
    return span;
}

/* Envoy bounds heads to 8 MiB at most (60 KiB by default), so 32 bits hold every sum. */
static struct jrv_inbox_node *write_record(const struct head *head, enum jrv_event_kind kind)
{
    size_t table_size = 2 * head->header_count * sizeof(struct jrv_span);
    size_t size = sizeof(struct jrv_record) + table_size;
    for (int i = 0; i < JRV_FIELD_COUNT; i++)
        size += head->fields[i].length;
    for (size_t i = 0; i < head->header_count; i++)
        size += head->headers[i].key_length + head->headers[i].value_length;

    struct writer writer = {NULL, (uint32_t)(sizeof(struct jrv_record) + table_size)};
    struct jrv_inbox_node *node = jrv_inbox_node_new(kind, size, &writer.record);
    struct jrv_record *record = (struct jrv_record *)(void *)writer.record;
    record->total = (uint32_t)size;
    record->header_count = (uint32_t)head->header_count;
    for (int i = 0; i < JRV_FIELD_COUNT; i++)
        record->fields[i] = put(&writer, head->fields[i].ptr, head->fields[i].length);
    struct jrv_span *table = (struct jrv_span *)(record + 1);
    for (size_t i = 0; i < head->header_count; i++) {
        const struct envoy_header *header = &head->headers[i];
        *table++ = put(&writer, header->key_ptr, header->key_length);
        *table++ = put(&writer, header->value_ptr, header->value_length);
    }
    return node;
}

struct jrv_inbox_node *jrv_request_record_new(void *envoy, struct jrv_request_facts *facts)
{
    struct envoy_header on_stack[HEADERS_ON_STACK];
    struct head head;
    memset(&head, 0, sizeof(head));
    *facts = (struct jrv_request_facts){.content_length = UINT64_MAX};
    fetch(envoy, ENVOY_REQUEST_HEADERS, on_stack, &head);
    sort(&head, facts);
    read_connection(envoy, &head);
    facts->http1 = is_http1(head.fields[JRV_FIELD_PROTOCOL]);
    bool enters = !facts->tunnel && may_enter(&head);
    struct jrv_inbox_node *node = enters ? write_record(&head, JRV_EVENT_NEW) : NULL;
    forget(on_stack, &head);
    return node;
}

struct jrv_inbox_node *jrv_request_record_trailers(void *envoy)
{
    struct envoy_header on_stack[HEADERS_ON_STACK];
    struct jrv_request_facts facts = {0};
    struct head head;
    memset(&head, 0, sizeof(head));
    fetch(envoy, ENVOY_REQUEST_TRAILERS, on_stack, &head);
    sort(&head, &facts);
    memset(head.fields, 0, sizeof(head.fields));
    struct jrv_inbox_node *node = write_record(&head, JRV_EVENT_TRAILERS);
    forget(on_stack, &head);
    return node;
}
