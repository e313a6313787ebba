/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is there or ends the process: no path of a request has an answer to its absence. Any
 * thread. */
#ifndef JRV_ALLOCATION_H
#define JRV_ALLOCATION_H

#include <stdlib.h>

/* `size` bytes with undefined contents; free() them. Never NULL. */
__attribute__((malloc, returns_nonnull)) static inline void *jrv_allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        abort();
    return memory;
}

#endif
