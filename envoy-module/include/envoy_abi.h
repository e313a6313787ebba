/* SPDX-License-Identifier: Apache-2.0 */
/* The part of Envoy's dynamic-module ABI that Jruvoy uses: names, signatures and values. Any
 * thread.
 *
 * Every hook runs on the thread named beside it. A pointer that comes from Envoy is valid until the
 * hook ends; what we pass to a callback is copied before it returns. Everything here exists since
 * Envoy 1.39, except the functions marked ENVOY_SINCE_1_40: they are weak, compare them with NULL
 * before a call.
 */
#ifndef JRV_ENVOY_ABI_H
#define JRV_ENVOY_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENVOY_ABI_VERSION_1_39 "v0.1.0"
#define ENVOY_ABI_VERSION_1_40 "v0.2.0"
#define ENVOY_SINCE_1_40 __attribute__((weak))

/* ---- Values ---- */

struct envoy_view {
    const char *ptr;
    size_t length;
};

struct envoy_header {
    const char *key_ptr;
    size_t key_length;
    const char *value_ptr;
    size_t value_length;
};

enum envoy_log_level {
    ENVOY_LOG_TRACE,
    ENVOY_LOG_DEBUG,
    ENVOY_LOG_INFO,
    ENVOY_LOG_WARN,
    ENVOY_LOG_ERROR,
    ENVOY_LOG_CRITICAL,
    ENVOY_LOG_OFF
};

enum envoy_header_type {
    ENVOY_REQUEST_HEADERS,
    ENVOY_REQUEST_TRAILERS,
    ENVOY_RESPONSE_HEADERS,
    ENVOY_RESPONSE_TRAILERS
};

enum envoy_body_type {
    ENVOY_BODY_RECEIVED_REQUEST, /* Only inside the body hook: the bytes of this call. */
    ENVOY_BODY_BUFFERED_REQUEST, /* What earlier hooks left in Envoy. */
    ENVOY_BODY_RECEIVED_RESPONSE,
    ENVOY_BODY_BUFFERED_RESPONSE
};

enum envoy_headers_status { ENVOY_HEADERS_CONTINUE, ENVOY_HEADERS_STOP };

enum envoy_body_status {
    ENVOY_BODY_CONTINUE,
    ENVOY_BODY_STOP_AND_BUFFER, /* Never used: past the buffer limit Envoy answers 413. */
    ENVOY_BODY_STOP_AND_WATERMARK,
    ENVOY_BODY_STOP_NO_BUFFER
};

enum envoy_trailers_status { ENVOY_TRAILERS_CONTINUE, ENVOY_TRAILERS_STOP };

enum envoy_local_reply_status { ENVOY_LOCAL_REPLY_CONTINUE, ENVOY_LOCAL_REPLY_RESET };

enum envoy_reset_reason { ENVOY_RESET_LOCAL, ENVOY_RESET_LOCAL_REFUSED };

enum envoy_metrics_result {
    ENVOY_METRICS_SUCCESS,
    ENVOY_METRICS_NOT_FOUND,
    ENVOY_METRICS_INVALID_LABELS,
    ENVOY_METRICS_FROZEN
};

enum envoy_attribute {
    ENVOY_ATTRIBUTE_REQUEST_PROTOCOL = 10,
    ENVOY_ATTRIBUTE_RESPONSE_CODE_DETAILS = 16,
    ENVOY_ATTRIBUTE_RESPONSE_FLAGS = 17,
    ENVOY_ATTRIBUTE_SOURCE_ADDRESS = 24,
    ENVOY_ATTRIBUTE_DESTINATION_ADDRESS = 26,
    ENVOY_ATTRIBUTE_CONNECTION_SERVER_NAME = 30, /* That the client asked for (SNI). */
    ENVOY_ATTRIBUTE_CONNECTION_TLS_VERSION = 31,
    ENVOY_ATTRIBUTE_CONNECTION_PEER_SUBJECT = 33, /* Of its certificate. */
    ENVOY_ATTRIBUTE_CONNECTION_TERMINATION_DETAILS = 40
};

/* Bits of ENVOY_ATTRIBUTE_RESPONSE_FLAGS that we look at. */
#define ENVOY_FLAG_DOWNSTREAM_TERMINATION 0x4000u

typedef void (*envoy_completion)(void *context);

/* The compiler flag hides every symbol; these must be seen by Envoy. */
#pragma GCC visibility push(default)

/* ---- Hooks: module. Main. ---- */

const char *envoy_dynamic_module_on_program_init(void);

/* ---- Hooks: HTTP filter config. Main; destroy on whichever thread drops the last reference. ----
 */

void *envoy_dynamic_module_on_http_filter_config_new(void *envoy, struct envoy_view name,
                                                     struct envoy_view config);
void envoy_dynamic_module_on_http_filter_config_destroy(void *config);

/* ---- Hooks: HTTP filter, one stream. Worker; destroy may come inside one of our sends. ---- */

void *envoy_dynamic_module_on_http_filter_new(void *config, void *envoy);
enum envoy_headers_status
envoy_dynamic_module_on_http_filter_request_headers(void *envoy, void *filter, bool end);
enum envoy_body_status envoy_dynamic_module_on_http_filter_request_body(void *envoy, void *filter,
                                                                        bool end);
enum envoy_trailers_status envoy_dynamic_module_on_http_filter_request_trailers(void *envoy,
                                                                                void *filter);
enum envoy_headers_status
envoy_dynamic_module_on_http_filter_response_headers(void *envoy, void *filter, bool end);
enum envoy_body_status envoy_dynamic_module_on_http_filter_response_body(void *envoy, void *filter,
                                                                         bool end);
enum envoy_trailers_status envoy_dynamic_module_on_http_filter_response_trailers(void *envoy,
                                                                                 void *filter);
void envoy_dynamic_module_on_http_filter_stream_complete(void *envoy, void *filter);
void envoy_dynamic_module_on_http_filter_destroy(void *filter);
void envoy_dynamic_module_on_http_filter_scheduled(void *envoy, void *filter, uint64_t event);
void envoy_dynamic_module_on_http_filter_downstream_above_write_buffer_high_watermark(void *envoy,
                                                                                      void *filter);
void envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(void *envoy,
                                                                                     void *filter);
enum envoy_local_reply_status
envoy_dynamic_module_on_http_filter_local_reply(void *envoy, void *filter, uint32_t code,
                                                struct envoy_view details, bool reset_imminent);

/* Replies of callouts, which we never make. Worker. */
void envoy_dynamic_module_on_http_filter_http_callout_done(
    void *envoy, void *filter, uint64_t callout, int result, struct envoy_header *headers,
    size_t header_count, struct envoy_view *chunks, size_t chunk_count);
void envoy_dynamic_module_on_http_filter_http_stream_headers(void *envoy, void *filter,
                                                             uint64_t stream,
                                                             struct envoy_header *headers,
                                                             size_t header_count, bool end);
void envoy_dynamic_module_on_http_filter_http_stream_data(void *envoy, void *filter,
                                                          uint64_t stream,
                                                          const struct envoy_view *chunks,
                                                          size_t chunk_count, bool end);
void envoy_dynamic_module_on_http_filter_http_stream_trailers(void *envoy, void *filter,
                                                              uint64_t stream,
                                                              struct envoy_header *trailers,
                                                              size_t trailer_count);
void envoy_dynamic_module_on_http_filter_http_stream_complete(void *envoy, void *filter,
                                                              uint64_t stream);
void envoy_dynamic_module_on_http_filter_http_stream_reset(void *envoy, void *filter,
                                                           uint64_t stream, int reason);

/* ---- Hooks: bootstrap extension. Main; all 17 must exist. ---- */

void *envoy_dynamic_module_on_bootstrap_extension_config_new(void *envoy, struct envoy_view name,
                                                             struct envoy_view config);
void envoy_dynamic_module_on_bootstrap_extension_config_destroy(void *config);
void *envoy_dynamic_module_on_bootstrap_extension_new(void *config, void *envoy);
void envoy_dynamic_module_on_bootstrap_extension_destroy(void *extension);
void envoy_dynamic_module_on_bootstrap_extension_server_initialized(void *envoy, void *extension);
void envoy_dynamic_module_on_bootstrap_extension_worker_thread_initialized(void *envoy,
                                                                           void *extension);
void envoy_dynamic_module_on_bootstrap_extension_drain_started(void *envoy, void *extension);
void envoy_dynamic_module_on_bootstrap_extension_shutdown(void *envoy, void *extension,
                                                          envoy_completion completion,
                                                          void *context);
void envoy_dynamic_module_on_bootstrap_extension_config_scheduled(void *envoy, void *config,
                                                                  uint64_t event);
void envoy_dynamic_module_on_bootstrap_extension_timer_fired(void *envoy, void *config,
                                                             void *timer);
void envoy_dynamic_module_on_bootstrap_extension_file_changed(void *envoy, void *config,
                                                              struct envoy_view path,
                                                              uint32_t events);
uint32_t envoy_dynamic_module_on_bootstrap_extension_admin_request(void *envoy, void *config,
                                                                   struct envoy_view method,
                                                                   struct envoy_view path,
                                                                   struct envoy_view body);
void envoy_dynamic_module_on_bootstrap_extension_cluster_add_or_update(void *envoy, void *config,
                                                                       struct envoy_view name);
void envoy_dynamic_module_on_bootstrap_extension_cluster_removal(void *envoy, void *config,
                                                                 struct envoy_view name);
void envoy_dynamic_module_on_bootstrap_extension_listener_add_or_update(void *envoy, void *config,
                                                                        struct envoy_view name);
void envoy_dynamic_module_on_bootstrap_extension_listener_removal(void *envoy, void *config,
                                                                  struct envoy_view name);
void envoy_dynamic_module_on_bootstrap_extension_http_callout_done(
    void *envoy, void *config, uint64_t callout, int result, struct envoy_header *headers,
    size_t header_count, struct envoy_view *chunks, size_t chunk_count);

/* ---- Callbacks: request and response of one stream. Worker, inside one of its hooks. ---- */

size_t envoy_dynamic_module_callback_http_get_headers_size(void *filter,
                                                           enum envoy_header_type type);
bool envoy_dynamic_module_callback_http_get_headers(void *filter, enum envoy_header_type type,
                                                    struct envoy_header *headers);
bool envoy_dynamic_module_callback_http_get_header(void *filter, enum envoy_header_type type,
                                                   struct envoy_view key, struct envoy_view *value,
                                                   size_t index, size_t *count);
bool envoy_dynamic_module_callback_http_filter_get_attribute_string(void *filter,
                                                                    enum envoy_attribute id,
                                                                    struct envoy_view *value);
bool envoy_dynamic_module_callback_http_filter_get_attribute_int(void *filter,
                                                                 enum envoy_attribute id,
                                                                 uint64_t *value);
uint32_t envoy_dynamic_module_callback_http_filter_get_worker_index(void *filter);

size_t envoy_dynamic_module_callback_http_get_body_size(void *filter, enum envoy_body_type type);
size_t envoy_dynamic_module_callback_http_get_body_chunks_size(void *filter,
                                                               enum envoy_body_type type);
bool envoy_dynamic_module_callback_http_get_body_chunks(void *filter, enum envoy_body_type type,
                                                        struct envoy_view *chunks);
bool envoy_dynamic_module_callback_http_drain_body(void *filter, enum envoy_body_type type,
                                                   size_t bytes);
bool envoy_dynamic_module_callback_http_received_buffered_request_body(void *filter);
uint64_t envoy_dynamic_module_callback_http_get_buffer_limit(void *filter);
void envoy_dynamic_module_callback_http_set_buffer_limit(void *filter, uint64_t limit);

/* Every one of these may run stream_complete (1.39: destroy, too) before it returns. */
void envoy_dynamic_module_callback_http_send_response(void *filter, uint32_t status,
                                                      struct envoy_header *headers,
                                                      size_t header_count, struct envoy_view body,
                                                      struct envoy_view details);
void envoy_dynamic_module_callback_http_send_response_headers(void *filter,
                                                              struct envoy_header *headers,
                                                              size_t header_count, bool end);
void envoy_dynamic_module_callback_http_send_response_data(void *filter, struct envoy_view data,
                                                           bool end);
void envoy_dynamic_module_callback_http_send_response_trailers(void *filter,
                                                               struct envoy_header *trailers,
                                                               size_t trailer_count);
void envoy_dynamic_module_callback_http_filter_reset_stream(void *filter,
                                                            enum envoy_reset_reason reason,
                                                            struct envoy_view details);
void envoy_dynamic_module_callback_http_filter_send_go_away_and_close(void *filter, bool graceful);

/* ---- Callbacks: schedulers. new in a hook; commit and delete on any thread. ---- */

void *envoy_dynamic_module_callback_http_filter_scheduler_new(void *filter);
void envoy_dynamic_module_callback_http_filter_scheduler_commit(void *scheduler, uint64_t event);
void envoy_dynamic_module_callback_http_filter_scheduler_delete(void *scheduler);
void *envoy_dynamic_module_callback_http_filter_config_scheduler_new(void *config);
void envoy_dynamic_module_callback_http_filter_config_scheduler_commit(void *scheduler,
                                                                       uint64_t event);
void envoy_dynamic_module_callback_http_filter_config_scheduler_delete(void *scheduler);
void *envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_new(void *config);
void envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_commit(void *scheduler,
                                                                               uint64_t event);
void envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_delete(void *scheduler);

/* ---- Callbacks: metrics. Define inside config_new on main; record on main or a worker. ---- */

enum envoy_metrics_result envoy_dynamic_module_callback_http_filter_config_define_counter(
    void *config, struct envoy_view name, struct envoy_view *labels, size_t label_count,
    size_t *id);
enum envoy_metrics_result
envoy_dynamic_module_callback_http_filter_config_define_gauge(void *config, struct envoy_view name,
                                                              struct envoy_view *labels,
                                                              size_t label_count, size_t *id);
enum envoy_metrics_result envoy_dynamic_module_callback_http_filter_config_define_histogram(
    void *config, struct envoy_view name, struct envoy_view *labels, size_t label_count,
    size_t *id);
enum envoy_metrics_result envoy_dynamic_module_callback_http_filter_config_increment_counter(
    void *config, size_t id, struct envoy_view *values, size_t value_count, uint64_t amount);
enum envoy_metrics_result envoy_dynamic_module_callback_http_filter_config_set_gauge(
    void *config, size_t id, struct envoy_view *values, size_t value_count, uint64_t amount);
enum envoy_metrics_result envoy_dynamic_module_callback_http_filter_config_record_histogram_value(
    void *config, size_t id, struct envoy_view *values, size_t value_count, uint64_t amount);
enum envoy_metrics_result envoy_dynamic_module_callback_http_filter_increment_counter(
    void *filter, size_t id, struct envoy_view *values, size_t value_count, uint64_t amount);
enum envoy_metrics_result envoy_dynamic_module_callback_http_filter_record_histogram_value(
    void *filter, size_t id, struct envoy_view *values, size_t value_count, uint64_t amount);

enum envoy_metrics_result envoy_dynamic_module_callback_bootstrap_extension_config_define_counter(
    void *config, struct envoy_view name, struct envoy_view *labels, size_t label_count,
    size_t *id);
enum envoy_metrics_result envoy_dynamic_module_callback_bootstrap_extension_config_define_gauge(
    void *config, struct envoy_view name, struct envoy_view *labels, size_t label_count,
    size_t *id);
enum envoy_metrics_result envoy_dynamic_module_callback_bootstrap_extension_config_define_histogram(
    void *config, struct envoy_view name, struct envoy_view *labels, size_t label_count,
    size_t *id);
enum envoy_metrics_result
envoy_dynamic_module_callback_bootstrap_extension_config_increment_counter(
    void *config, size_t id, struct envoy_view *values, size_t value_count, uint64_t amount);
enum envoy_metrics_result envoy_dynamic_module_callback_bootstrap_extension_config_set_gauge(
    void *config, size_t id, struct envoy_view *values, size_t value_count, uint64_t amount);
enum envoy_metrics_result
envoy_dynamic_module_callback_bootstrap_extension_config_record_histogram_value(
    void *config, size_t id, struct envoy_view *values, size_t value_count, uint64_t amount);

/* ---- Callbacks: bootstrap extension. Main. ---- */

void envoy_dynamic_module_callback_bootstrap_extension_config_signal_init_complete(void *config);
bool envoy_dynamic_module_callback_bootstrap_extension_get_counter_value(void *extension,
                                                                         struct envoy_view name,
                                                                         uint64_t *value);
bool envoy_dynamic_module_callback_bootstrap_extension_get_gauge_value(void *extension,
                                                                       struct envoy_view name,
                                                                       uint64_t *value);
void *envoy_dynamic_module_callback_bootstrap_extension_timer_new(void *config);
void envoy_dynamic_module_callback_bootstrap_extension_timer_enable(void *timer,
                                                                    uint64_t milliseconds);
void envoy_dynamic_module_callback_bootstrap_extension_timer_disable(void *timer);
bool envoy_dynamic_module_callback_bootstrap_extension_timer_enabled(void *timer);
void envoy_dynamic_module_callback_bootstrap_extension_timer_delete(void *timer);
bool envoy_dynamic_module_callback_bootstrap_extension_register_admin_handler(
    void *config, struct envoy_view path_prefix, struct envoy_view help, bool removable,
    bool mutates);
void envoy_dynamic_module_callback_bootstrap_extension_admin_set_response(void *config,
                                                                          struct envoy_view body);

/* ---- Callbacks: process ---- */

/* Any thread. */
void envoy_dynamic_module_callback_log(enum envoy_log_level level, struct envoy_view message);
bool envoy_dynamic_module_callback_log_enabled(enum envoy_log_level level);
ENVOY_SINCE_1_40 void envoy_dynamic_module_callback_log_v2(enum envoy_log_level level,
                                                           struct envoy_view message,
                                                           struct envoy_view source_file,
                                                           uint32_t line);

/* Main. */
uint32_t envoy_dynamic_module_callback_get_concurrency(void);
bool envoy_dynamic_module_callback_is_validation_mode(void);

#pragma GCC visibility pop

#endif
