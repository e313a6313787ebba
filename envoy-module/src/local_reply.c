/* SPDX-License-Identifier: Apache-2.0 */
/* Local replies; see local_reply.h. Worker. */
#include "local_reply.h"

#include "envoy_abi.h"
#include "stream.h"

#define VIEW(text) {(text), sizeof(text) - 1}
#define HEADER(name, value) {(name), sizeof(name) - 1, (value), sizeof(value) - 1}

static const struct {
    uint32_t status;
    struct envoy_view body;
    struct envoy_view details;  /* %RESPONSE_CODE_DETAILS% of the access log. */
    struct envoy_header header; /* No name: none. */
} replies[] = {
    [JRV_REPLY_BAD_REQUEST] = {400, VIEW("Bad Request\n"), VIEW("jruvoy_bad_authority"), {0}},
    [JRV_REPLY_NOT_ALLOWED] = {405, VIEW("Method Not Allowed\n"), VIEW("jruvoy_tunnel"),
                               HEADER("allow", "")},
    [JRV_REPLY_ERROR] = {500, VIEW("Internal Server Error\n"), VIEW("jruvoy_app_error"), {0}},
    [JRV_REPLY_UNAVAILABLE] = {503, VIEW("Service Unavailable\n"), VIEW("jruvoy_refused"),
                               HEADER("retry-after", "1")},
};

void jrv_local_reply_send(struct jrv_stream *stream, enum jrv_local_reply reply,
                          enum jrv_end_reason reason)
{
    struct envoy_header header = replies[reply].header;
    size_t header_count = header.key_length > 0 ? 1 : 0;
    if (!jrv_stream_advance(stream, JRV_STREAM_ENDED))
        return;
    jrv_stream_end(stream, reason);
    jrv_stream_enter_send(stream);
    envoy_dynamic_module_callback_http_send_response(stream->envoy, replies[reply].status, &header,
                                                     header_count, replies[reply].body,
                                                     replies[reply].details);
    jrv_stream_leave_send(stream);
}
