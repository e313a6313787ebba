/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes HTTP allows in header names and values. Envoy checks neither for us. Any thread. */
#ifndef JRV_HEADER_BYTES_H
#define JRV_HEADER_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* A token of RFC 9110: not empty, no separators, controls or bytes above 126. Upper case is
 * allowed: Envoy lowers. */
bool jrv_header_name_legal(const char *name, size_t length);

/* No controls except tab. May be empty. */
bool jrv_header_value_legal(const char *value, size_t length);

#endif
