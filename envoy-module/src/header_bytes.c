/* SPDX-License-Identifier: Apache-2.0 */
/* Header bytes; see header_bytes.h. Any thread. */
#include "header_bytes.h"

#include <stdint.h>

/* One bit per ASCII byte: digits, letters and !#$%&'*+-.^_`|~ */
static const uint32_t token_bits[4] = {0x00000000u, 0x03ff6cfau, 0xc7fffffeu, 0x57ffffffu};

static bool is_token(unsigned char byte)
{
    return byte < 128 && (token_bits[byte >> 5] >> (byte & 31) & 1u) != 0;
}

bool jrv_header_name_legal(const char *name, size_t length)
{
    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_token((unsigned char)name[i]))
            return false;
    return true;
}

bool jrv_header_value_legal(const char *value, size_t length)
{
    /* No early exit: values are short and nearly always legal, and a plain sweep is what compilers
     * make fast. */
    unsigned bad = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)value[i];
        bad |= (unsigned)((byte < 0x20) & (byte != '\t')) | (unsigned)(byte == 0x7f);
    }
    return bad == 0;
}
