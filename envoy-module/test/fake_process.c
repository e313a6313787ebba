/* SPDX-License-Identifier: Apache-2.0 */
/* The host's callbacks that concern no stream: they succeed and do nothing. Weak, so that a test of
 * bootstrap, metrics or log can bring its own.
 */
#include "envoy_abi.h"

#pragma weak envoy_dynamic_module_callback_log
#pragma weak envoy_dynamic_module_callback_log_enabled
#pragma weak envoy_dynamic_module_callback_get_concurrency
#pragma weak envoy_dynamic_module_callback_is_validation_mode
#pragma weak envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_new
#pragma weak envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_commit
#pragma weak envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_delete
#pragma weak envoy_dynamic_module_callback_bootstrap_extension_config_signal_init_complete
#pragma weak envoy_dynamic_module_callback_bootstrap_extension_get_gauge_value
#pragma weak envoy_dynamic_module_callback_bootstrap_extension_timer_new
#pragma weak envoy_dynamic_module_callback_bootstrap_extension_timer_enable
#pragma weak envoy_dynamic_module_callback_bootstrap_extension_timer_delete

void envoy_dynamic_module_callback_log(enum envoy_log_level level, struct envoy_view message)
{
    (void)level;
    (void)message;
}

bool envoy_dynamic_module_callback_log_enabled(enum envoy_log_level level)
{
    return level >= ENVOY_LOG_INFO;
}

uint32_t envoy_dynamic_module_callback_get_concurrency(void)
{
    return 1;
}

bool envoy_dynamic_module_callback_is_validation_mode(void)
{
    return false;
}

void *envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_new(void *config)
{
    return config;
}

void envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_commit(void *scheduler,
                                                                               uint64_t event)
{
    (void)scheduler;
    (void)event;
}

void envoy_dynamic_module_callback_bootstrap_extension_config_scheduler_delete(void *scheduler)
{
    (void)scheduler;
}

void envoy_dynamic_module_callback_bootstrap_extension_config_signal_init_complete(void *config)
{
    (void)config;
}

bool envoy_dynamic_module_callback_bootstrap_extension_get_gauge_value(void *extension,
                                                                       struct envoy_view name,
                                                                       uint64_t *value)
{
    (void)extension;
    (void)name;
    *value = 1;
    return true;
}

void *envoy_dynamic_module_callback_bootstrap_extension_timer_new(void *config)
{
    return config;
}

void envoy_dynamic_module_callback_bootstrap_extension_timer_enable(void *timer,
                                                                    uint64_t milliseconds)
{
    (void)timer;
    (void)milliseconds;
}

void envoy_dynamic_module_callback_bootstrap_extension_timer_delete(void *timer)
{
    (void)timer;
}
