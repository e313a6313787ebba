/* SPDX-License-Identifier: Apache-2.0 */
/* The values of layout.h in one list, for Java's check at boot. Any thread. */
#include <stddef.h>

#include "layout.h"
#include "natives.h"

#define OFFSET(type, field) ((int64_t)offsetof(struct type, field))
#define SIZE(type) ((int64_t)sizeof(struct type))

/* Layout.java holds the same numbers in the same order: append, never insert. */
static const int64_t values[] = {
    /* 0: jrv_event */
    SIZE(jrv_event),
    OFFSET(jrv_event, kind),
    OFFSET(jrv_event, flags),
    OFFSET(jrv_event, stream),
    OFFSET(jrv_event, data),
    OFFSET(jrv_event, size),
    /* 6: event kinds and flags */
    JRV_EVENT_NEW,
    JRV_EVENT_BODY,
    JRV_EVENT_TRAILERS,
    JRV_EVENT_CREDIT,
    JRV_EVENT_CLOSED,
    JRV_EVENT_STOP,
    JRV_EVENT_END_STREAM,
    JRV_EVENT_UPGRADE,
    /* 14: jrv_record; fields are spans */
    SIZE(jrv_span),
    OFFSET(jrv_span, offset),
    OFFSET(jrv_span, length),
    SIZE(jrv_record),
    OFFSET(jrv_record, total),
    OFFSET(jrv_record, header_count),
    OFFSET(jrv_record, fields),
    /* 21: record fields */
    JRV_FIELD_METHOD,
    JRV_FIELD_PATH,
    JRV_FIELD_AUTHORITY,
    JRV_FIELD_SCHEME,
    JRV_FIELD_PROTOCOL,
    JRV_FIELD_REMOTE_ADDRESS,
    JRV_FIELD_TLS_VERSION,
    JRV_FIELD_TLS_SERVER_NAME,
    JRV_FIELD_TLS_PEER_SUBJECT,
    JRV_FIELD_COUNT,
    /* 31: jrv_message */
    SIZE(jrv_message),
    OFFSET(jrv_message, total),
    OFFSET(jrv_message, kind),
    OFFSET(jrv_message, stream),
    OFFSET(jrv_message, flags),
    OFFSET(jrv_message, header_count),
    OFFSET(jrv_message, body_length),
    OFFSET(jrv_message, credit),
    OFFSET(jrv_message, body),
    /* 40: message kinds and flags */
    JRV_MESSAGE_COMPLETE,
    JRV_MESSAGE_HEAD,
    JRV_MESSAGE_DATA,
    JRV_MESSAGE_TRAILERS,
    JRV_MESSAGE_RESET,
    JRV_MESSAGE_CREDIT,
    JRV_MESSAGE_RELEASE,
    JRV_MESSAGE_END_STREAM,
    JRV_MESSAGE_RELEASES,
    /* 49: end reasons */
    JRV_END_NONE,
    JRV_END_COMPLETED,
    JRV_END_APP_ERROR,
    JRV_END_CLIENT_GONE,
    JRV_END_ENVOY_RESET,
    JRV_END_DEADLINE,
    JRV_END_REFUSED,
    JRV_END_DRAINED,
    JRV_END_OWNER_LOST,
    JRV_END_COUNT,
};

int64_t jruvoy_native_layout(int32_t index)
{
    if (index < 0 || (size_t)index >= sizeof(values) / sizeof(values[0]))
        return -1;
    return values[index];
}
