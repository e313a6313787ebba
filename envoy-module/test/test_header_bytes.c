/* SPDX-License-Identifier: Apache-2.0 */
/* Every byte, as RFC 9110 has it. */
#include "header_bytes.h"

#include <string.h>

#include "check.h"

static void names_are_tokens(void)
{
    static const char others[] = "!#$%&'*+-.^_`|~";
    for (int byte = 0; byte < 256; byte++) {
        char name[] = {'x', (char)byte, 'y'};
        bool token = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                     (byte >= 'A' && byte <= 'Z') || (byte != 0 && strchr(others, byte) != NULL);
        CHECK_EQUAL(token, jrv_header_name_legal(name, 3));
    }
    CHECK(!jrv_header_name_legal("", 0));
    CHECK(!jrv_header_name_legal(":status", 7));
}

static void values_have_no_controls(void)
{
    for (int byte = 0; byte < 256; byte++) {
        char value[] = "0123456789abcdefghijklmnopqrstuvwxyz";
        bool legal = byte == '\t' || (byte >= 0x20 && byte != 0x7f);
        for (size_t at = 0; at < sizeof(value) - 1; at += 5) {
            char before = value[at];
            value[at] = (char)byte;
            CHECK_EQUAL(legal, jrv_header_value_legal(value, sizeof(value) - 1));
            value[at] = before;
        }
    }
    CHECK(jrv_header_value_legal("", 0));
}

int main(void)
{
    RUN(names_are_tokens);
    RUN(values_have_no_controls);
    return check_report();
}
