/* SPDX-License-Identifier: Apache-2.0 */
/* Local replies; see local_reply.h. Worker. */
#include "local_reply.h"

#include <string.h>

#include "envoy_abi.h"
#include "stream.h"

#define VIEW(text) {(text), sizeof(text) - 1}
#define HEADER(name, value) {(name), sizeof(name) - 1, (value), sizeof(value) - 1}

static const struct {
    uint32_t status;
    struct envoy_view body;
    struct envoy_view details;     /* %RESPONSE_CODE_DETAILS% of the access log. */
    struct envoy_header header;    /* No name: none. */
    struct envoy_view grpc_status; /* The same in gRPC's words. */
} replies[] = {
    [JRV_REPLY_BAD_REQUEST] =
        {400, VIEW("Bad Request\n"), VIEW("jruvoy_bad_authority"), {0}, VIEW("13")},
    [JRV_REPLY_NOT_ALLOWED] = {405, VIEW("Method Not Allowed\n"), VIEW("jruvoy_tunnel"),
                               HEADER("allow", ""), VIEW("12")},
    [JRV_REPLY_ERROR] =
        {500, VIEW("Internal Server Error\n"), VIEW("jruvoy_app_error"), {0}, VIEW("13")},
    [JRV_REPLY_UNAVAILABLE] = {503, VIEW("Service Unavailable\n"), VIEW("jruvoy_refused"),
                               HEADER("retry-after", "1"), VIEW("14")},
};

/* application/grpc, and with a suffix (+proto) or parameters. */
static bool speaks_grpc(const struct jrv_stream *stream)
{
    static const struct envoy_view name = VIEW("content-type");
    static const char type[] = "application/grpc";
    struct envoy_view value = {NULL, 0};
    if (!envoy_dynamic_module_callback_http_get_header(stream->envoy, ENVOY_REQUEST_HEADERS, name,
                                                       &value, 0, NULL) ||
        value.length < sizeof(type) - 1 || memcmp(value.ptr, type, sizeof(type) - 1) != 0)
        return false;
    return value.length == sizeof(type) - 1 || strchr("+; ", value.ptr[sizeof(type) - 1]) != NULL;
}

/* A trailers-only answer of our own: Envoy would say grpc-status 0 for every reply of a module. */
static void send_grpc(struct jrv_stream *stream, enum jrv_local_reply reply)
{
    struct envoy_view status = replies[reply].grpc_status;
    struct envoy_view text = replies[reply].body;
    struct envoy_header headers[] = {
        HEADER(":status", "200"),
        HEADER("content-type", "application/grpc"),
        {"grpc-status", 11, status.ptr, status.length},
        {"grpc-message", 12, text.ptr, text.length - 1}, /* Without the newline. */
        replies[reply].header,
    };
    size_t count = sizeof(headers) / sizeof(headers[0]);
    if (replies[reply].header.key_length == 0)
        count--;
    envoy_dynamic_module_callback_http_send_response_headers(stream->envoy, headers, count, true);
}

static void send_plain(struct jrv_stream *stream, enum jrv_local_reply reply)
{
    struct envoy_header header = replies[reply].header;
    envoy_dynamic_module_callback_http_send_response(stream->envoy, replies[reply].status, &header,
                                                     header.key_length > 0 ? 1 : 0,
                                                     replies[reply].body, replies[reply].details);
}

void jrv_local_reply_send(struct jrv_stream *stream, enum jrv_local_reply reply,
                          enum jrv_end_reason reason)
{
    if (!jrv_stream_advance(stream, JRV_STREAM_ENDED))
        return;
    jrv_stream_end(stream, reason);
    jrv_stream_enter_send(stream);
    if (speaks_grpc(stream))
        send_grpc(stream, reply);
    else
        send_plain(stream, reply);
    jrv_stream_leave_send(stream);
}
