/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of the bootstrap extension that Envoy wants to exist and that have nothing to do here.
 * Main. */
#include "envoy_abi.h"

void envoy_dynamic_module_on_bootstrap_extension_worker_thread_initialized(void *envoy,
                                                                           void *extension)
{
    (void)envoy;
    (void)extension;
}

void envoy_dynamic_module_on_bootstrap_extension_drain_started(void *envoy, void *extension)
{
    (void)envoy;
    (void)extension;
}

void envoy_dynamic_module_on_bootstrap_extension_file_changed(void *envoy, void *config,
                                                              struct envoy_view path,
                                                              uint32_t events)
{
    (void)envoy;
    (void)config;
    (void)path;
    (void)events;
}

uint32_t envoy_dynamic_module_on_bootstrap_extension_admin_request(void *envoy, void *config,
                                                                   struct envoy_view method,
                                                                   struct envoy_view path,
                                                                   struct envoy_view body)
{
    (void)envoy;
    (void)config;
    (void)method;
    (void)path;
    (void)body;
    return 404;
}

void envoy_dynamic_module_on_bootstrap_extension_cluster_add_or_update(void *envoy, void *config,
                                                                       struct envoy_view name)
{
    (void)envoy;
    (void)config;
    (void)name;
}

void envoy_dynamic_module_on_bootstrap_extension_cluster_removal(void *envoy, void *config,
                                                                 struct envoy_view name)
{
    (void)envoy;
    (void)config;
    (void)name;
}

void envoy_dynamic_module_on_bootstrap_extension_listener_add_or_update(void *envoy, void *config,
                                                                        struct envoy_view name)
{
    (void)envoy;
    (void)config;
    (void)name;
}

void envoy_dynamic_module_on_bootstrap_extension_listener_removal(void *envoy, void *config,
                                                                  struct envoy_view name)
{
    (void)envoy;
    (void)config;
    (void)name;
}

void envoy_dynamic_module_on_bootstrap_extension_http_callout_done(
    void *envoy, void *config, uint64_t callout, int result, struct envoy_header *headers,
    size_t header_count, struct envoy_view *chunks, size_t chunk_count)
{
    (void)envoy;
    (void)config;
    (void)callout;
    (void)result;
    (void)headers;
    (void)header_count;
    (void)chunks;
    (void)chunk_count;
}
