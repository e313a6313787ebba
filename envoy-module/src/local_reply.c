/* SPDX-License-Identifier: Apache-2.0 */
/* Local replies; see local_reply.h. Worker. */
#include "local_reply.h"

#include "envoy_abi.h"
#include "stream.h"

#define VIEW(text) {(text), sizeof(text) - 1}

static const struct {
    uint32_t status;
    struct envoy_view body;
    struct envoy_view details; /* %RESPONSE_CODE_DETAILS% of the access log. */
} replies[] = {
    [JRV_REPLY_BAD_REQUEST] = {400, VIEW("Bad Request\n"), VIEW("jruvoy_bad_authority")},
    [JRV_REPLY_ERROR] = {500, VIEW("Internal Server Error\n"), VIEW("jruvoy_app_error")},
    [JRV_REPLY_UNAVAILABLE] = {503, VIEW("Service Unavailable\n"), VIEW("jruvoy_refused")},
};

void jrv_local_reply_send(struct jrv_stream *stream, enum jrv_local_reply reply,
                          enum jrv_end_reason reason)
{
    struct envoy_header retry_after = {"retry-after", 11, "1", 1};
    size_t header_count = reply == JRV_REPLY_UNAVAILABLE ? 1 : 0;
    if (!jrv_stream_advance(stream, JRV_STREAM_ENDED))
        return;
    jrv_stream_end(stream, reason);
    jrv_stream_enter_send(stream);
    envoy_dynamic_module_callback_http_send_response(stream->envoy, replies[reply].status,
                                                     &retry_after, header_count,
                                                     replies[reply].body, replies[reply].details);
    jrv_stream_leave_send(stream);
}
