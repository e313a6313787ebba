/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of all that crosses between C and Java: events, request records, messages. Any thread.
 *
 * All integers are little-endian and naturally aligned; offsets are in bytes. The Java twin is
 * runtime/.../bridge/Layout.java, which compares every value below once at boot through
 * jruvoy_native_layout() and refuses to start on a difference.
 */
#ifndef JRV_LAYOUT_H
#define JRV_LAYOUT_H

#include <stdint.h>

/* ---- Events: worker (or main) to owner. One jruvoy_native_poll() fills an array of these. ---- */

enum jrv_event_kind {
    /* A request was admitted. data/size: the record. */
    JRV_EVENT_NEW = 1,
    /* Request body bytes. data/size: the bytes (size may be 0 with END_STREAM). */
    JRV_EVENT_BODY = 2,
    /* Request trailers; always the end. data/size: a record with headers only. */
    JRV_EVENT_TRAILERS = 3,
    /* The worker took `size` response body bytes from the outbox since the last CREDIT. */
    JRV_EVENT_CREDIT = 4,
    /* The stream is over for Envoy. flags: enum jrv_end_reason. Posted once, and only while the
     * owner has not released the stream (a release may cross it on the way). */
    JRV_EVENT_CLOSED = 5,
    /* The app must stop: finish what runs, then jruvoy_native_app_stopped(). */
    JRV_EVENT_STOP = 6
};

enum jrv_event_flag {
    JRV_EVENT_END_STREAM = 1, /* NEW: no body follows. BODY: these are the last bytes. */
    JRV_EVENT_UPGRADE = 2     /* NEW: an upgrade (or extended CONNECT) request. */
};

struct jrv_event {
    uint32_t kind;
    uint32_t flags;
    uint64_t stream; /* Handle (address) of the stream; 0 for STOP. A key for Java, never
                        dereferenced there. */
    uint64_t data;   /* Address of the bytes, or 0. Valid until the next poll of the same inbox. */
    uint64_t size;
};

/* ---- Request record: one flat allocation per request. Offsets count from its first byte. ---- */

struct jrv_span {
    uint32_t offset;
    uint32_t length;
};

enum jrv_record_field {
    JRV_FIELD_METHOD = 0,
    JRV_FIELD_PATH = 1, /* With the query, as it came. */
    JRV_FIELD_AUTHORITY = 2,
    JRV_FIELD_SCHEME = 3,   /* "http" or "https" by the connection, not by what the client says. */
    JRV_FIELD_PROTOCOL = 4, /* "HTTP/1.0", "HTTP/1.1", "HTTP/2" or "HTTP/3". */
    JRV_FIELD_REMOTE_ADDRESS = 5,  /* Peer as Envoy sees it, "ip:port" or "[ip6]:port". */
    JRV_FIELD_TLS_VERSION = 6,     /* "TLSv1.3" and the like; empty without TLS, as the next two. */
    JRV_FIELD_TLS_SERVER_NAME = 7, /* That the client asked for (SNI), if it did. */
    JRV_FIELD_TLS_PEER_SUBJECT = 8, /* Of the client's certificate, if it gave one. */
    JRV_FIELD_COUNT = 9
};

struct jrv_record {
    uint32_t total;        /* Bytes of the whole record. */
    uint32_t header_count; /* Entries of the table. Pseudo headers are not in it. */
    struct jrv_span fields[JRV_FIELD_COUNT];
    /* struct jrv_span table[2 * header_count]: name, value, name, value, ... then the bytes. */
};

/* ---- Messages: owner to worker. jruvoy_native_send() takes a run, each 8-byte aligned. ---- */

enum jrv_message_kind {
    /* Head, inline body and end in one: a small whole response. */
    JRV_MESSAGE_COMPLETE = 1,
    /* Status and headers; END_STREAM when no body follows. */
    JRV_MESSAGE_HEAD = 2,
    /* Body bytes, inline or by reference; END_STREAM when they are the last. */
    JRV_MESSAGE_DATA = 3,
    /* Response trailers; always the end. */
    JRV_MESSAGE_TRAILERS = 4,
    /* Abort the stream; the client must see a cut, or a bare 500 if no head has left. credit: why
     * (enum jrv_end_reason), or 0 for app_error. Does not wait behind a client that has stopped
     * reading. */
    JRV_MESSAGE_RESET = 5,
    /* The app consumed `credit` request body bytes: the worker may hand over as many more. */
    JRV_MESSAGE_CREDIT = 6,
    /* The owner is done with the stream; nothing else for it follows. */
    JRV_MESSAGE_RELEASE = 7
};

enum jrv_message_flag {
    JRV_MESSAGE_END_STREAM = 1,
    JRV_MESSAGE_RELEASES = 2 /* This message is also the owner's last word: RELEASE folded in. */
};

struct jrv_message {
    uint32_t total; /* Bytes of this message, header included, a multiple of 8. */
    uint32_t kind;
    uint64_t stream;
    uint32_t flags;
    uint32_t header_count; /* HEAD, COMPLETE, TRAILERS; ":status" comes first in a head. */
    uint32_t body_length;
    uint32_t credit;
    uint64_t body; /* DATA: 0 for inline bytes, else the address of body_length bytes that Java
                      keeps until CREDIT events have covered them or CLOSED has come. */
    /* struct { uint32_t name_length, value_length; } table[header_count]; then names and values in
     * order, then the inline body. */
};

/* ---- How a stream ended. Twin: EndReason. ---- */

#include "end_reason.h"

#endif
