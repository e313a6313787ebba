/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: whatever a message of the owner claims about its lengths, its copy is legal
 * HTTP or marked as not, and nothing outside of the message is read. */
#include "outgoing.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "header_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct jrv_outgoing *outgoing)
{
    for (uint32_t i = 0; outgoing->legal && i < outgoing->header_count; i++) {
        const struct envoy_header *header = &outgoing->headers[i];
        bool status = i == 0 && outgoing->status != 0;
        if (!status && !jrv_header_name_legal(header->key_ptr, header->key_length))
            abort();
        if (!jrv_header_value_legal(header->value_ptr, header->value_length))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct jrv_message *message;
    size_t total = size / 8 * 8;
    if (total < sizeof(*message))
        return 0;
    message = malloc(total);
    memcpy(message, data, total);
    message->total = (uint32_t)total;
    message->kind = JRV_MESSAGE_COMPLETE + message->kind % JRV_MESSAGE_RESET;
    message->body = 0;
    /* Lengths that lie are the owner's fault, which debug builds assert. */
    check_expect_assertions(1);
    struct jrv_outgoing *outgoing = jrv_outgoing_copy(message);
    free(message);
    check(outgoing);
    jrv_outgoing_free(outgoing);
    return 0;
}
