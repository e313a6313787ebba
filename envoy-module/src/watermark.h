/* SPDX-License-Identifier: Apache-2.0 */
/* How full the client's side of Envoy is. Worker, inside the two watermark hooks, which may run
 * inside our own sends and before there is a request: they only note the level.
 */
#ifndef JRV_WATERMARK_H
#define JRV_WATERMARK_H

struct jrv_stream;

void jrv_watermark_above(struct jrv_stream *stream);

/* When the last level is left and something waits, asks for a scheduled hook: sending inside this
 * hook crashes Envoy. */
void jrv_watermark_below(struct jrv_stream *stream);

#endif
