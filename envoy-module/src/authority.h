/* SPDX-License-Identifier: Apache-2.0 */
/* Is a request's authority one that an app can be shown? Envoy lets several malformed ones through.
 * Any thread. */
#ifndef JRV_AUTHORITY_H
#define JRV_AUTHORITY_H

#include <stdbool.h>
#include <stddef.h>

/* `authority`: host, or host:port, as it came. Refused: user information, a second port, brackets
 * that do not hold an IPv6 address, a port that is no number up to 65535, lists, blanks, controls
 * and other bytes that no host has. An empty authority is refused too; whether there must be one is
 * the caller's business. */
bool jrv_authority_legal(const char *authority, size_t length);

#endif
