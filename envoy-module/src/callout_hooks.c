/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks that Envoy demands and never calls here: Jruvoy makes no callouts. Worker. */
#include "envoy_abi.h"

void envoy_dynamic_module_on_http_filter_http_callout_done(
    void *envoy, void *filter, uint64_t callout, int result, struct envoy_header *headers,
    size_t header_count, struct envoy_view *chunks, size_t chunk_count)
{
    (void)envoy;
    (void)filter;
    (void)callout;
    (void)result;
    (void)headers;
    (void)header_count;
    (void)chunks;
    (void)chunk_count;
}

void envoy_dynamic_module_on_http_filter_http_stream_headers(void *envoy, void *filter,
                                                             uint64_t stream,
                                                             struct envoy_header *headers,
                                                             size_t header_count, bool end)
{
    (void)envoy;
    (void)filter;
    (void)stream;
    (void)headers;
    (void)header_count;
    (void)end;
}

void envoy_dynamic_module_on_http_filter_http_stream_data(void *envoy, void *filter,
                                                          uint64_t stream,
                                                          const struct envoy_view *chunks,
                                                          size_t chunk_count, bool end)
{
    (void)envoy;
    (void)filter;
    (void)stream;
    (void)chunks;
    (void)chunk_count;
    (void)end;
}

void envoy_dynamic_module_on_http_filter_http_stream_trailers(void *envoy, void *filter,
                                                              uint64_t stream,
                                                              struct envoy_header *trailers,
                                                              size_t trailer_count)
{
    (void)envoy;
    (void)filter;
    (void)stream;
    (void)trailers;
    (void)trailer_count;
}

void envoy_dynamic_module_on_http_filter_http_stream_complete(void *envoy, void *filter,
                                                              uint64_t stream)
{
    (void)envoy;
    (void)filter;
    (void)stream;
}

void envoy_dynamic_module_on_http_filter_http_stream_reset(void *envoy, void *filter,
                                                           uint64_t stream, int reason)
{
    (void)envoy;
    (void)filter;
    (void)stream;
    (void)reason;
}
