/* SPDX-License-Identifier: Apache-2.0 */
/* Watermarks; see watermark.h. Worker. */
#include "watermark.h"

#include "assertion.h"
#include "stream.h"

void jrv_watermark_above(struct jrv_stream *stream)
{
    JRV_ASSERT_WORKER(stream);
    stream->response.above++;
}

void jrv_watermark_below(struct jrv_stream *stream)
{
    JRV_ASSERT_WORKER(stream);
    if (stream->response.above == 0)
        return;
    stream->response.above--;
    if (stream->response.above == 0 && stream->response.first != NULL)
        jrv_outbox_recommit(&stream->outbox);
}
