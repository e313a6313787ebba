/* SPDX-License-Identifier: Apache-2.0 */
/* Answers without the app, in C alone: also when the JVM is gone. Worker.
 *
 * Bare status text, or grpc-status and grpc-message for gRPC requests.
 */
#ifndef JRV_LOCAL_REPLY_H
#define JRV_LOCAL_REPLY_H

#include "end_reason.h"

struct jrv_stream;

enum jrv_local_reply {
    JRV_REPLY_BAD_REQUEST, /* 400 */
    JRV_REPLY_NOT_ALLOWED, /* 405 with an empty allow: the target of a CONNECT has no methods. */
    JRV_REPLY_ERROR,       /* 500 */
    JRV_REPLY_UNAVAILABLE  /* 503 with retry-after */
};

/* Ends the stream with this reply, noting `reason`. No response head may have been sent. Outside of
 * a decode hook Envoy may complete and destroy the stream inside. */
void jrv_local_reply_send(struct jrv_stream *stream, enum jrv_local_reply reply,
                          enum jrv_end_reason reason);

#endif
