/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and checks the owner's messages; see outgoing.h for the threads. */
#include "outgoing.h"

#include <string.h>

#include "allocation.h"
#include "assertion.h"
#include "credit.h"
#include "header_bytes.h"

struct lengths {
    uint32_t name;
    uint32_t value;
};

static bool is_head(const struct jrv_outgoing *outgoing)
{
    return outgoing->kind == JRV_MESSAGE_HEAD || outgoing->kind == JRV_MESSAGE_COMPLETE;
}

/* The value of ":status", or 0 for anything that must not be sent: 1xx other than 101, or no
 * number. */
static uint16_t parse_status(const struct envoy_header *header)
{
    if (header->key_length != 7 || memcmp(header->key_ptr, ":status", 7) != 0 ||
        header->value_length != 3)
        return 0;
    unsigned status = 0;
    for (int i = 0; i < 3; i++) {
        unsigned digit = (unsigned)(unsigned char)header->value_ptr[i] - '0';
        if (digit > 9)
            return 0;
        status = status * 10 + digit;
    }
    return status >= 200 || status == 101 ? (uint16_t)status : 0;
}

static bool check(struct jrv_outgoing *outgoing)
{
    uint32_t first = 0;
    if (is_head(outgoing)) {
        if (outgoing->header_count == 0)
            return false;
        outgoing->status = parse_status(&outgoing->headers[0]);
        if (outgoing->status == 0)
            return false;
        first = 1;
    }
    for (uint32_t i = first; i < outgoing->header_count; i++) {
        const struct envoy_header *header = &outgoing->headers[i];
        if (!jrv_header_name_legal(header->key_ptr, header->key_length) ||
            !jrv_header_value_legal(header->value_ptr, header->value_length))
            return false;
    }
    return true;
}

/* Bytes of names, values and inline body as the table and the head tell them. */
static uint64_t payload_size(const struct jrv_message *message, const struct lengths *table)
{
    uint64_t size = message->body == 0 ? message->body_length : 0;
    for (uint32_t i = 0; i < message->header_count; i++)
        size += (uint64_t)table[i].name + table[i].value;
    return size;
}

static void lay_out(struct jrv_outgoing *outgoing, const struct jrv_message *message,
                    const struct lengths *table, char *bytes)
{
    for (uint32_t i = 0; i < message->header_count; i++) {
        outgoing->headers[i] = (struct envoy_header){
            bytes,
            table[i].name,
            bytes + table[i].name,
            table[i].value,
        };
        bytes += table[i].name + table[i].value;
    }
    const char *body = message->body == 0 ? bytes : (const char *)(uintptr_t)message->body;
    outgoing->body = (struct envoy_view){body, message->body_length};
}

static struct jrv_outgoing *allocate(enum jrv_message_kind kind, uint32_t header_count,
                                     uint64_t payload)
{
    struct jrv_outgoing *outgoing = jrv_allocate(
        sizeof(*outgoing) + (size_t)header_count * sizeof(struct envoy_header) + payload);
    memset(outgoing, 0, sizeof(*outgoing));
    outgoing->kind = kind;
    outgoing->header_count = header_count;
    outgoing->legal = true;
    return outgoing;
}

struct jrv_outgoing *jrv_outgoing_reset(enum jrv_end_reason reason)
{
    struct jrv_outgoing *outgoing = allocate(JRV_MESSAGE_RESET, 0, 0);
    outgoing->reason = reason;
    outgoing->end = true;
    return outgoing;
}

/* The owner may say why it resets; silence means that the app failed. */
static enum jrv_end_reason reset_reason(const struct jrv_message *message)
{
    return message->credit > JRV_END_NONE && message->credit < JRV_END_COUNT
               ? (enum jrv_end_reason)message->credit
               : JRV_END_APP_ERROR;
}

struct jrv_outgoing *jrv_outgoing_copy(const struct jrv_message *message)
{
    if (message->kind == JRV_MESSAGE_RESET)
        return jrv_outgoing_reset(reset_reason(message));
    const struct lengths *table = (const struct lengths *)(message + 1);
    uint64_t table_size = (uint64_t)message->header_count * sizeof(*table);
    uint64_t room = message->total - sizeof(*message);
    if (table_size > room || payload_size(message, table) > room - table_size) {
        JRV_ASSERT(false && "lengths fit into the message");
        return jrv_outgoing_reset(JRV_END_APP_ERROR);
    }
    uint64_t payload = payload_size(message, table);
    enum jrv_message_kind kind = (enum jrv_message_kind)message->kind;
    struct jrv_outgoing *outgoing = allocate(kind, message->header_count, payload);
    char *bytes = (char *)&outgoing->headers[message->header_count];
    memcpy(bytes, (const char *)(table + message->header_count), payload);
    lay_out(outgoing, message, table, bytes);
    outgoing->end = kind == JRV_MESSAGE_COMPLETE || kind == JRV_MESSAGE_TRAILERS ||
                    (message->flags & JRV_MESSAGE_END_STREAM) != 0;
    outgoing->legal = check(outgoing);
    if (kind == JRV_MESSAGE_DATA)
        jrv_budget_add(outgoing->body.length);
    return outgoing;
}

void jrv_outgoing_forget_body(struct jrv_outgoing *outgoing)
{
    if (outgoing->kind == JRV_MESSAGE_DATA && outgoing->body.length > 0)
        jrv_budget_subtract(outgoing->body.length);
    outgoing->body.length = 0;
}

void jrv_outgoing_free(struct jrv_outgoing *outgoing)
{
    jrv_outgoing_forget_body(outgoing);
    free(outgoing);
}

void jrv_outgoing_free_chain(struct jrv_outgoing *first)
{
    while (first != NULL) {
        struct jrv_outgoing *next = first->next;
        jrv_outgoing_free(first);
        first = next;
    }
}
