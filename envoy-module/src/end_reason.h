/* SPDX-License-Identifier: Apache-2.0 */
/* How a stream ended; each ends exactly once. Any thread. Twin: EndReason.java, same order. */
#ifndef JRV_END_REASON_H
#define JRV_END_REASON_H

enum jrv_end_reason {
    JRV_END_NONE = 0,        /* Still running. */
    JRV_END_COMPLETED = 1,   /* The whole response was handed to Envoy. */
    JRV_END_APP_ERROR = 2,   /* The app failed after the head had left: the stream was reset. */
    JRV_END_CLIENT_GONE = 3, /* The client disconnected or reset the stream. */
    JRV_END_ENVOY_RESET = 4, /* Envoy ended it: a timeout, a protocol error, an overload action. */
    JRV_END_DEADLINE = 5,    /* Its deadline passed. */
    JRV_END_REFUSED = 6,     /* Admission said no; Ruby never saw it. */
    JRV_END_DRAINED = 7,     /* The drain deadline passed while it ran. */
    JRV_END_OWNER_LOST = 8,  /* The owner died or stopped. */
    JRV_END_COUNT = 9
};

#endif
