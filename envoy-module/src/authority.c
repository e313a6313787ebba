/* SPDX-License-Identifier: Apache-2.0 */
/* Authorities; see authority.h. Any thread. */
#include "authority.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>

/* RFC 3986's reg-name without the comma: no client means one, but Envoy joins two Host lines with
 * it. One bit per ASCII byte: digits, letters and !$%&'()*+-.;=_~ */
static const uint32_t host_bits[4] = {0x00000000u, 0x2bff6ff2u, 0x87fffffeu, 0x47fffffeu};

static bool is_host_byte(unsigned char byte)
{
    return byte < 128 && (host_bits[byte >> 5] >> (byte & 31) & 1u) != 0;
}

/* Length of the name or IPv4 address at the start. */
static size_t name_length(const char *authority, size_t length)
{
    size_t i = 0;
    while (i < length && is_host_byte((unsigned char)authority[i]))
        i++;
    return i;
}

/* Length of the bracketed IPv6 address at the start, or 0. */
static size_t literal_length(const char *authority, size_t length)
{
    char address[INET6_ADDRSTRLEN];
    unsigned char binary[16];
    const char *close = memchr(authority, ']', length);
    if (close == NULL)
        return 0;
    size_t inner = (size_t)(close - authority) - 1;
    if (inner >= sizeof(address))
        return 0;
    memcpy(address, authority + 1, inner);
    address[inner] = '\0';
    return inet_pton(AF_INET6, address, binary) == 1 ? inner + 2 : 0;
}

/* Digits up to 65535; none at all is what RFC 3986 calls an empty port. */
static bool is_port(const char *port, size_t length)
{
    unsigned value = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(unsigned char)port[i] - '0';
        if (digit > 9)
            return false;
        value = value * 10 + digit;
        if (value > 65535)
            return false;
    }
    return true;
}

bool jrv_authority_legal(const char *authority, size_t length)
{
    if (length == 0)
        return false;
    size_t host =
        authority[0] == '[' ? literal_length(authority, length) : name_length(authority, length);
    if (host == 0)
        return false;
    if (host == length)
        return true;
    return authority[host] == ':' && is_port(authority + host + 1, length - host - 1);
}
