/* SPDX-License-Identifier: Apache-2.0 */
/* The owner's side in tests: an app without Java, its events, and messages built and sent as Java
 * does. One thread. */
#ifndef JRV_OWNER_H
#define JRV_OWNER_H

#include <stdint.h>

#include "app.h"
#include "filter_config.h"
#include "layout.h"

/* ---- An app whose gate is open ---- */

struct test_app {
    struct jrv_app app;
    struct jrv_filter_config config; /* Give this to fake_stream_new(). */
};

void test_app_init(struct test_app *app, uint32_t max_requests, uint64_t window_bytes);

/* Checks that no slot is taken and no body byte counted. */
void test_app_destroy(struct test_app *app);

/* ---- Events ---- */

/* The next event of the app's inbox, its bytes valid until the next call; kind 0: none. */
struct jrv_event owner_poll(struct test_app *app);

/* A field of a NEW's record, or a header's value ("" when absent); four calls may be held. */
const char *owner_field(const struct jrv_event *event, enum jrv_record_field field);
const char *owner_header(const struct jrv_event *event, const char *name);

/* ---- Messages; headers: name, value, ..., NULL. Each is sent at once. ---- */

void owner_head(uint64_t stream, uint32_t flags, const char *status, ...) __attribute__((sentinel));
void owner_complete(uint64_t stream, uint32_t flags, const char *body, const char *status, ...)
    __attribute__((sentinel));
void owner_trailers(uint64_t stream, uint32_t flags, const char *name, ...)
    __attribute__((sentinel));
void owner_data(uint64_t stream, uint32_t flags, const char *body, size_t length);
void owner_data_by_reference(uint64_t stream, uint32_t flags, const char *body, size_t length);
void owner_reset(uint64_t stream, uint32_t flags, enum jrv_end_reason reason);
void owner_credit(uint64_t stream, uint32_t bytes);
void owner_release(uint64_t stream);

#endif
