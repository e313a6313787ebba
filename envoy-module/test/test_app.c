/* SPDX-License-Identifier: Apache-2.0 */
/* Apps and the filter configs that use them: sharing, taking over, stopping. The test is main, VM
 * thread and owner. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "child.h"
#include "fake_bootstrap.h"
#include "natives.h"
#include "register.h"
#include "settings.h"
#include "stand_in_jvm.h"

/* A filter config with the settings `json`, as filter_config.c makes them. */
static struct jrv_filter_config *join(const char *name, const char *json, bool update)
{
    struct jrv_fault fault = {""};
    json_t *settings = jrv_settings_check(JRV_SETTINGS_FILTER, json, strlen(json), &fault);
    struct jrv_filter_config *config = calloc(1, sizeof(*config));

    CHECK_TEXT("", fault.line);
    config->name = strdup(name);
    CHECK(jrv_register_join(config, jrv_app_new(settings, &fault), update, &fault));
    json_decref(settings);
    return config;
}

static size_t leave(struct jrv_filter_config *config)
{
    size_t left = jrv_register_leave(config);

    free(config->name);
    free(config);
    return left;
}

static int64_t handle_of(const struct jrv_app *app)
{
    return (int64_t)(intptr_t)app;
}

static bool stop_waits(struct jrv_app *app)
{
    struct jrv_event event = {0};

    return jrv_inbox_poll(&app->inboxes[0], &event, 1) == 1 && event.kind == JRV_EVENT_STOP;
}

#define GOOD "{\"rackup\": \"good.ru\"}"
#define TWO_OWNERS "{\"rackup\": \"good.ru\", \"owners\": 2}"
#define OTHER "{\"rackup\": \"other.ru\"}"

static void equal_settings_share_an_app(void)
{
    struct jrv_filter_config *one = join("a", GOOD, false);
    struct jrv_filter_config *two =
        join("b", "{\"rackup\": \"./good.ru\", \"max_requests\": 1024}", false);
    struct jrv_app *app = one->own;

    CHECK(two->own == app);
    CHECK_EQUAL(handle_of(app), jruvoy_native_next_app());
    jruvoy_native_app_ready(handle_of(app));
    CHECK(jrv_register_all_loaded());
    CHECK_EQUAL(1, leave(one));
    CHECK(!stop_waits(app));
    CHECK_EQUAL(0, leave(two));
    CHECK(stop_waits(app));
    jruvoy_native_app_stopped(handle_of(app));
}

static void gate_opens_when_ready(void)
{
    struct jrv_filter_config *config = join("a", GOOD, false);
    struct jrv_app *app = config->own;

    CHECK_EQUAL(JRV_GATE_NOT_READY, jrv_admission_gate(&app->admission));
    CHECK(!jrv_register_all_loaded());
    jruvoy_native_app_ready(jruvoy_native_next_app());
    CHECK_EQUAL(JRV_GATE_OPEN, jrv_admission_gate(&app->admission));
    leave(config);
    CHECK(stop_waits(app));
    jruvoy_native_app_stopped(handle_of(app));
}

static void old_app_serves_until_the_new_is_ready(void)
{
    struct jrv_filter_config *old = join("a", GOOD, false);
    struct jrv_filter_config *new;
    struct jrv_app *first = old->own;

    jruvoy_native_app_ready(jruvoy_native_next_app());
    new = join("a", OTHER, true);
    CHECK(jrv_filter_config_app(new) == first);
    CHECK_EQUAL(handle_of(new->own), jruvoy_native_next_app());
    leave(old);
    CHECK(!stop_waits(first));
    CHECK_EQUAL(JRV_GATE_OPEN, jrv_admission_gate(&first->admission));

    jruvoy_native_app_ready(handle_of(new->own));
    CHECK(jrv_filter_config_app(new) == new->own);
    CHECK(stop_waits(first));
    jruvoy_native_app_stopped(handle_of(first));

    first = new->own;
    leave(new);
    CHECK(stop_waits(first));
    jruvoy_native_app_stopped(handle_of(first));
}

static void old_app_stops_after_its_streams(void)
{
    struct jrv_filter_config *old = join("a", GOOD, false);
    struct jrv_app *app = old->own;
    uint8_t generation;

    jruvoy_native_app_ready(jruvoy_native_next_app());
    CHECK_EQUAL(JRV_ADMIT_YES, jrv_admission_enter(&app->admission, &generation));
    leave(old);
    CHECK(!stop_waits(app));
    CHECK_EQUAL(JRV_ADMIT_NOT_OPEN, jrv_admission_enter(&app->admission, &generation));
    jrv_admission_leave(&app->admission, 0);
    CHECK(stop_waits(app));
    jruvoy_native_app_stopped(handle_of(app));
}

static void failed_update_leaves_the_old_app(void)
{
    struct jrv_filter_config *old = join("a", GOOD, false);
    struct jrv_filter_config *new;
    struct jrv_filter_config *newest;
    struct jrv_app *first = old->own;
    struct jrv_app *failed;

    jruvoy_native_app_ready(jruvoy_native_next_app());
    new = join("a", OTHER, true);
    failed = new->own;
    fake_log_clear();
    jruvoy_native_app_failed(jruvoy_native_next_app(), "other.ru:7: no (NameError)");
    CHECK(fake_log_has_error("other.ru: other.ru:7: no (NameError)"));
    jruvoy_native_app_stopped(handle_of(failed));
    leave(old);
    CHECK(jrv_filter_config_app(new) == first);
    CHECK_EQUAL(JRV_GATE_OPEN, jrv_admission_gate(&first->admission));

    /* The same settings again: the file may have been mended. */
    newest = join("a", OTHER, true);
    CHECK(newest->own != failed);
    CHECK(jrv_filter_config_app(newest) == first);
    jruvoy_native_app_ready(jruvoy_native_next_app());
    leave(new);
    CHECK(stop_waits(first));
    jruvoy_native_app_stopped(handle_of(first));
    first = newest->own;
    leave(newest);
    CHECK(stop_waits(first));
    jruvoy_native_app_stopped(handle_of(first));
}

static void lost_owners_leave_the_work_to_the_others(void)
{
    struct jrv_filter_config *config = join("a", TWO_OWNERS, false);
    struct jrv_app *app = config->own;
    struct jrv_event event = {0};

    CHECK_EQUAL(2, app->owners);
    jruvoy_native_app_ready(jruvoy_native_next_app());
    fake_log_clear();
    jruvoy_native_owner_lost(handle_of(app), 1);
    CHECK(fake_log_has_error("lost one of its owners; it goes on with 1 of 2"));
    CHECK_EQUAL(JRV_GATE_OPEN, jrv_admission_gate(&app->admission));
    jruvoy_native_owner_lost(handle_of(app), 0);
    CHECK(fake_log_has_error("has ended by itself; it answers 503 from now on"));
    CHECK_EQUAL(JRV_GATE_CLOSED, jrv_admission_gate(&app->admission));
    /* What is left of them still gets its STOP, each of them. */
    CHECK(!stop_waits(app));
    leave(config);
    CHECK(stop_waits(app));
    CHECK_EQUAL(1, jrv_inbox_poll(&app->inboxes[1], &event, 1));
    CHECK_EQUAL(JRV_EVENT_STOP, event.kind);
    jruvoy_native_app_stopped(handle_of(app));
}

static void other_names_do_not_stand_in(void)
{
    struct jrv_filter_config *one = join("a", GOOD, false);
    struct jrv_filter_config *two;
    struct jrv_app *app = one->own;

    jruvoy_native_app_ready(jruvoy_native_next_app());
    two = join("b", OTHER, true);
    CHECK(jrv_filter_config_app(two) == two->own);
    /* Never handed to Java: it just goes. */
    leave(two);
    leave(one);
    CHECK(stop_waits(app));
    jruvoy_native_app_stopped(handle_of(app));
}

static void app_left_while_it_loads_is_stopped(void)
{
    struct jrv_filter_config *config = join("a", GOOD, false);
    struct jrv_app *app = config->own;

    CHECK_EQUAL(handle_of(app), jruvoy_native_next_app());
    leave(config);
    jruvoy_native_app_ready(handle_of(app));
    CHECK_EQUAL(JRV_GATE_CLOSED, jrv_admission_gate(&app->admission));
    CHECK(stop_waits(app));
    jruvoy_native_app_stopped(handle_of(app));
}

static void lost_app_refuses(void)
{
    struct jrv_filter_config *config = join("a", GOOD, false);
    struct jrv_app *app = config->own;

    jruvoy_native_app_ready(jruvoy_native_next_app());
    fake_log_clear();
    jruvoy_native_owner_lost(handle_of(app), 0);
    CHECK(fake_log_has_error("good.ru has ended by itself"));
    CHECK_EQUAL(JRV_GATE_CLOSED, jrv_admission_gate(&app->admission));
    leave(config);
    CHECK(stop_waits(app));
    jruvoy_native_app_stopped(handle_of(app));
}

static void settings_reach_java_and_admission(void)
{
    struct jrv_filter_config *config =
        join("a", "{\"rackup\": \"good.ru\", \"max_requests\": 7}", false);
    const char *text = (const char *)(intptr_t)jruvoy_native_app_settings(handle_of(config->own));

    CHECK(strstr(text, "\"max_requests\":7") != NULL);
    CHECK_EQUAL(7, config->own->admission.limit);
    CHECK_EQUAL(262144, config->own->window_bytes);
    CHECK_EQUAL(30000, config->own->drain_timeout_ms);
    leave(config);
}

static void after_the_end_nothing_begins(void)
{
    struct jrv_filter_config *config = join("a", GOOD, false);
    struct jrv_filter_config late = {.name = config->name};
    struct jrv_fault fault = {""};
    json_t *settings = jrv_settings_check(JRV_SETTINGS_FILTER, OTHER, strlen(OTHER), &fault);

    jrv_register_end();
    CHECK_EQUAL(0, jruvoy_native_next_app());
    CHECK(!jrv_register_join(&late, jrv_app_new(settings, &fault), true, &fault));
    CHECK(strstr(fault.line, "restart Envoy") != NULL);
    json_decref(settings);
    leave(config);
}

static void end_is_final(void)
{
    CHECK_EQUAL(0, child_run(after_the_end_nothing_begins));
}

int main(void)
{
    stand_in_folder();
    RUN(equal_settings_share_an_app);
    RUN(gate_opens_when_ready);
    RUN(old_app_serves_until_the_new_is_ready);
    RUN(old_app_stops_after_its_streams);
    RUN(failed_update_leaves_the_old_app);
    RUN(lost_owners_leave_the_work_to_the_others);
    RUN(other_names_do_not_stand_in);
    RUN(app_left_while_it_loads_is_stopped);
    RUN(lost_app_refuses);
    RUN(settings_reach_java_and_admission);
    RUN(end_is_final);
    return check_report();
}
