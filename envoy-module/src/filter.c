/* SPDX-License-Identifier: Apache-2.0 */
/* Envoy's hooks of one stream: they hold a reference where a send may end the stream, and call the
 * nouns. Worker. */
#include "assertion.h"
#include "envoy_abi.h"
#include "filter_config.h"
#include "request_body.h"
#include "stream.h"
#include "wake.h"
#include "watermark.h"

/* ---- Begin and end ---- */

void *envoy_dynamic_module_on_http_filter_new(void *config, void *envoy)
{
    return jrv_stream_new(jrv_filter_config_app(config), envoy);
}

/* May come without a request, and inside our own sends. */
void envoy_dynamic_module_on_http_filter_stream_complete(void *envoy, void *filter)
{
    (void)envoy;
    jrv_stream_complete(filter);
}

/* 1.39: may come inside our own sends; 1.40: from the deferred list. Perhaps on another thread:
 * drops the reference, nothing else. */
void envoy_dynamic_module_on_http_filter_destroy(void *filter)
{
    jrv_stream_unref(filter);
}

/* ---- Request ---- */

enum envoy_headers_status
envoy_dynamic_module_on_http_filter_request_headers(void *envoy, void *filter, bool end)
{
    (void)envoy;
    jrv_stream_ref(filter);
    jrv_stream_begin(filter, end);
    jrv_stream_unref(filter);
    return ENVOY_HEADERS_STOP;
}

enum envoy_body_status envoy_dynamic_module_on_http_filter_request_body(void *envoy, void *filter,
                                                                        bool end)
{
    struct jrv_stream *stream = filter;
    if (!stream->admitted || stream->state >= JRV_STREAM_ENDED)
        return ENVOY_BODY_STOP_NO_BUFFER;
    size_t size =
        envoy_dynamic_module_callback_http_get_body_size(envoy, ENVOY_BODY_RECEIVED_REQUEST);
    if (jrv_early_answer_received(stream, size, end))
        return ENVOY_BODY_STOP_NO_BUFFER;
    jrv_request_body_received(stream, end);
    return ENVOY_BODY_STOP_AND_WATERMARK;
}

enum envoy_trailers_status envoy_dynamic_module_on_http_filter_request_trailers(void *envoy,
                                                                                void *filter)
{
    (void)envoy;
    if (!jrv_early_answer_received(filter, 0, true))
        jrv_request_body_trailers(filter);
    return ENVOY_TRAILERS_STOP;
}

/* ---- Response: the owner's, or Envoy's own ---- */

void envoy_dynamic_module_on_http_filter_scheduled(void *envoy, void *filter, uint64_t event)
{
    (void)envoy;
    if (event == JRV_SCHEDULED_WAKE) {
        jrv_wake_give();
        return;
    }
    jrv_stream_ref(filter);
    jrv_stream_apply_outbox(filter);
    jrv_stream_unref(filter);
}

void envoy_dynamic_module_on_http_filter_downstream_above_write_buffer_high_watermark(void *envoy,
                                                                                      void *filter)
{
    (void)envoy;
    jrv_watermark_above(filter);
}

void envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(void *envoy,
                                                                                     void *filter)
{
    (void)envoy;
    jrv_watermark_below(filter);
}

/* Also for our own local replies, which have ended the stream already. */
enum envoy_local_reply_status
envoy_dynamic_module_on_http_filter_local_reply(void *envoy, void *filter, uint32_t code,
                                                struct envoy_view details, bool reset_imminent)
{
    (void)envoy;
    (void)code;
    (void)details;
    (void)reset_imminent;
    jrv_stream_replied(filter);
    return ENVOY_LOCAL_REPLY_CONTINUE;
}

/* These see Envoy's own replies only. */
enum envoy_headers_status
envoy_dynamic_module_on_http_filter_response_headers(void *envoy, void *filter, bool end)
{
    (void)envoy;
    (void)filter;
    (void)end;
    return ENVOY_HEADERS_CONTINUE;
}

enum envoy_body_status envoy_dynamic_module_on_http_filter_response_body(void *envoy, void *filter,
                                                                         bool end)
{
    (void)envoy;
    (void)filter;
    (void)end;
    return ENVOY_BODY_CONTINUE;
}

enum envoy_trailers_status envoy_dynamic_module_on_http_filter_response_trailers(void *envoy,
                                                                                 void *filter)
{
    (void)envoy;
    (void)filter;
    return ENVOY_TRAILERS_CONTINUE;
}
