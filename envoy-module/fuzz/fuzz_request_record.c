/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: whatever headers Envoy hands over, the record holds them byte for byte and
 * stays within its bounds, or the authority is refused. */
#include "request_record.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fake_envoy.h"
#include "inbox.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Splits the input at its zero bytes: name, value, name, value, ... */
static void read_headers(struct fake_stream *stream, const char *data, size_t size)
{
    while (size > 0 && stream->request_header_count < 256) {
        struct envoy_header *header = &stream->request_headers[stream->request_header_count++];
        size_t name = strnlen(data, size);
        size_t rest = name < size ? name + 1 : name;
        size_t value = strnlen(data + rest, size - rest);
        *header = (struct envoy_header){data, name, data + rest, value};
        size_t used = rest + value < size ? rest + value + 1 : rest + value;
        data += used;
        size -= used;
    }
}

static void check_span(const struct jrv_record *record, struct jrv_span span)
{
    if (span.offset < sizeof(*record) || span.offset > record->total ||
        span.length > record->total - span.offset)
        abort();
}

static void check(const struct jrv_record *record, size_t sent)
{
    const struct jrv_span *table = (const struct jrv_span *)(record + 1);
    if (record->header_count > sent)
        abort();
    for (int i = 0; i < JRV_FIELD_COUNT; i++)
        check_span(record, record->fields[i]);
    for (uint32_t i = 0; i < 2 * record->header_count; i++)
        check_span(record, table[i]);
    for (uint32_t i = 0; i < record->header_count; i++)
        if (table[2 * i].length == 0 || ((const char *)record)[table[2 * i].offset] == ':')
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fake_stream *stream = calloc(1, sizeof(*stream));
    struct jrv_request_facts facts;
    stream->protocol = "HTTP/1.0";
    stream->address = "192.0.2.7:4711";
    read_headers(stream, (const char *)data, size);
    struct jrv_inbox_node *node = jrv_request_record_new(stream, &facts);
    if (node != NULL)
        check((const struct jrv_record *)(uintptr_t)node->event.data, stream->request_header_count);
    free(node);
    free(stream);
    return 0;
}
