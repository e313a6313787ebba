/* SPDX-License-Identifier: Apache-2.0 */
/* Start and stop as Envoy drives them, with and without the bootstrap extension. Each scenario is a
 * process. */
#include "bootstrap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "envoy_abi.h"
#include "fake_bootstrap.h"
#include "filter_config.h"
#include "stand_in_jvm.h"
#include "vm.h"

#define GOOD "{\"rackup\": \"good.ru\"}"
#define SLOW "{\"rackup\": \"slow.ru\"}"
#define BAD "{\"rackup\": \"bad.ru\"}"

static bool is_signalled(void)
{
    return fake_init_signals > 0;
}

static bool is_completed(void)
{
    return atomic_load(&fake_completions) > 0;
}

static bool app_is_taken(void)
{
    return atomic_load(&stand_in_apps) > 0;
}

static bool vm_has_ended(void)
{
    return !jrv_vm_running();
}

static bool never(void)
{
    return false;
}

static bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void make_file(const char *path)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    CHECK(descriptor >= 0);
    close(descriptor);
}

/* ---- With the extension ---- */

static void validation_needs_no_jvm(void)
{
    void *config;

    fake_validation_mode = true;
    unsetenv("JAVA_HOME");
    mkdir("run", 0700);
    CHECK(fake_bootstrap_new("{\"run_folder\": \"run\"}") != NULL);
    CHECK_EQUAL(1, fake_init_signals);
    config = fake_filter_config_new("a", GOOD);
    CHECK(config != NULL);
    CHECK(fake_filter_config_new("a", "{\"rackup\": \"none.ru\"}") == NULL);
    CHECK(fake_log_has_error("filter_config.rackup: cannot read"));
    envoy_dynamic_module_on_http_filter_config_destroy(config);
    fake_bootstrap_destroy();
    CHECK_EQUAL(0, atomic_load(&stand_in_runs));
    CHECK_EQUAL(0, atomic_load(&fake_live_schedulers));
    CHECK(file_exists("run"));
    rmdir("run");
}

static void listeners_wait_for_the_app(void)
{
    void *config;

    CHECK(fake_bootstrap_new("{}") != NULL);
    config = fake_filter_config_new("a", SLOW);
    CHECK(config != NULL);
    fake_bootstrap_initialized();
    CHECK(fake_main_run_until(app_is_taken));
    fake_main_run();
    CHECK_EQUAL(0, fake_init_signals);
    CHECK(jrv_bootstrap_starting());

    atomic_store(&stand_in_loads, true);
    CHECK(fake_main_run_until(is_signalled));
    CHECK(!jrv_bootstrap_starting());
    fake_bootstrap_shutdown();
    CHECK(fake_main_run_until(is_completed));
    envoy_dynamic_module_on_http_filter_config_destroy(config);
    fake_bootstrap_destroy();
    CHECK_EQUAL(1, fake_init_signals);
    CHECK_EQUAL(1, atomic_load(&stand_in_runs));
    CHECK_EQUAL(1, atomic_load(&stand_in_ends));
    CHECK_EQUAL(1, atomic_load(&fake_completions));
    CHECK_EQUAL(0, atomic_load(&fake_live_schedulers));
    CHECK_EQUAL(0, fake_live_timers);
}

static void without_apps_nothing_is_waited_for(void)
{
    CHECK(fake_bootstrap_new("{}") != NULL);
    CHECK_EQUAL(0, fake_init_signals);
    fake_bootstrap_initialized();
    CHECK_EQUAL(1, fake_init_signals);
    fake_bootstrap_shutdown();
    CHECK(fake_main_run_until(is_completed));
    fake_bootstrap_destroy();
    CHECK_EQUAL(0, atomic_load(&stand_in_runs));
}

static void ready_line_comes_when_workers_listen(void)
{
    char text[256] = "";
    int pipe_ends[2];

    CHECK(pipe(pipe_ends) == 0);
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    dup2(pipe_ends[1], STDOUT_FILENO);
    CHECK(fake_bootstrap_new("{\"listening_url\": \"http://127.0.0.1:1\"}") != NULL);
    CHECK(fake_filter_config_new("a", GOOD) != NULL);
    fake_bootstrap_initialized();
    CHECK(fake_main_run_until(is_signalled));
    fake_main_run();
    CHECK(read(pipe_ends[0], text, sizeof(text)) < 0);
    CHECK_EQUAL(1, fake_live_timers);
    fake_workers_started = 1;
    fake_main_run();
    fake_main_run();
    CHECK(read(pipe_ends[0], text, sizeof(text) - 1) > 0);
    CHECK_TEXT("jruvoy: listening on http://127.0.0.1:1\n", text);
    CHECK_EQUAL(0, fake_live_timers);
}

static void leaving_while_the_app_loads(void)
{
    void *config;

    CHECK(fake_bootstrap_new("{}") != NULL);
    config = fake_filter_config_new("a", SLOW);
    fake_bootstrap_initialized();
    CHECK(fake_main_run_until(app_is_taken));
    /* No shutdown hook before the workers run. */
    envoy_dynamic_module_on_http_filter_config_destroy(config);
    fake_bootstrap_destroy();
    CHECK_EQUAL(0, fake_init_signals);
    CHECK_EQUAL(1, atomic_load(&stand_in_ends));
    CHECK(vm_has_ended());
}

static void app_fails_at_start(void)
{
    mkdir("run", 0700);
    make_file("run/envoy.yaml");
    CHECK(fake_bootstrap_new("{\"run_folder\": \"run\"}") != NULL);
    CHECK(fake_filter_config_new("a", BAD) != NULL);
    fake_bootstrap_initialized();
    fake_main_run_until(never);
    exit(0);
}

static void jvm_fails_at_start(void)
{
    stand_in_refuses = true;
    CHECK(fake_bootstrap_new("{}") != NULL);
    CHECK(fake_filter_config_new("a", GOOD) != NULL);
    fake_bootstrap_initialized();
    fake_main_run_until(never);
    exit(0);
}

static void no_jdk(void)
{
    setenv("JAVA_HOME", " ", 1);
    CHECK(fake_bootstrap_new("{}") == NULL);
    CHECK(fake_log_has_error("jruvoy: no JDK: JAVA_HOME is not set; install"));
    CHECK(fake_bootstrap_new("{\"java_home\": \"jars\"}") == NULL);
    CHECK(fake_log_has_error("jruvoy: extension_config.java_home"));
    CHECK(fake_log_has_error("is not a JDK"));
}

static void only_one_extension(void)
{
    CHECK(fake_bootstrap_new("{}") != NULL);
    CHECK(fake_bootstrap_new("{}") == NULL);
    CHECK(fake_log_has_error("two bootstrap extensions"));
}

static void run_folder_goes_with_the_process(void)
{
    mkdir("run", 0700);
    make_file("run/envoy.yaml");
    make_file("run/admin.sock");
    CHECK(fake_bootstrap_new("{\"run_folder\": \"run\"}") != NULL);
    fake_bootstrap_initialized();
    fake_bootstrap_shutdown();
    CHECK(fake_main_run_until(is_completed));
    CHECK(file_exists("run/envoy.yaml"));
    fake_bootstrap_destroy();
    CHECK(!file_exists("run"));
}

static void run_folder_with_other_files_stays(void)
{
    mkdir("kept", 0700);
    make_file("kept/mine");
    CHECK(fake_bootstrap_new("{\"run_folder\": \"kept\"}") != NULL);
    fake_bootstrap_initialized();
    fake_bootstrap_destroy();
    CHECK(file_exists("kept/mine"));
    unlink("kept/mine");
    rmdir("kept");
}

static void update_with_a_bad_app_is_survived(void)
{
    struct jrv_filter_config *old;
    struct jrv_filter_config *new;

    CHECK(fake_bootstrap_new("{}") != NULL);
    old = fake_filter_config_new("a", GOOD);
    fake_bootstrap_initialized();
    CHECK(fake_main_run_until(is_signalled));
    new = fake_filter_config_new("a", BAD);
    CHECK(new != NULL);
    for (int i = 0; i < 5000 && !fake_log_has_error("bad.ru:1: it is bad (BadError)"); i++)
        usleep(1000);
    CHECK(fake_log_has_error("bad.ru:1: it is bad (BadError)"));
    CHECK(jrv_filter_config_app(new) == old->own);
    CHECK_EQUAL(JRV_GATE_OPEN, jrv_admission_gate(&old->own->admission));
    envoy_dynamic_module_on_http_filter_config_destroy(old);
    fake_bootstrap_shutdown();
    CHECK(fake_main_run_until(is_completed));
    envoy_dynamic_module_on_http_filter_config_destroy(new);
    fake_bootstrap_destroy();
}

/* ---- Without it ---- */

static void filter_alone_waits_and_ends_the_jvm(void)
{
    struct jrv_filter_config *config = fake_filter_config_new("a", GOOD);

    CHECK(config != NULL);
    CHECK_EQUAL(JRV_GATE_OPEN, jrv_admission_gate(&jrv_filter_config_app(config)->admission));
    envoy_dynamic_module_on_http_filter_config_destroy(config);
    CHECK(vm_has_ended());
    CHECK_EQUAL(1, atomic_load(&stand_in_ends));
    CHECK(fake_filter_config_new("a", GOOD) == NULL);
    CHECK(fake_log_has_error("cannot start again; restart Envoy"));
}

static void filter_alone_with_a_bad_app(void)
{
    CHECK(fake_filter_config_new("a", BAD) == NULL);
    CHECK(fake_log_has_error("bad.ru:1: it is bad (BadError)"));
    CHECK(vm_has_ended());
}

static void filter_alone_survives_a_bad_update(void)
{
    struct jrv_filter_config *config = fake_filter_config_new("a", GOOD);

    CHECK(fake_filter_config_new("a", BAD) == NULL);
    CHECK(!vm_has_ended());
    CHECK_EQUAL(JRV_GATE_OPEN, jrv_admission_gate(&jrv_filter_config_app(config)->admission));
    envoy_dynamic_module_on_http_filter_config_destroy(config);
    CHECK(vm_has_ended());
}

static void filter_alone_without_a_jvm(void)
{
    stand_in_refuses = true;
    CHECK(fake_filter_config_new("a", GOOD) == NULL);
    CHECK(fake_log_has_error("the stand-in refuses to start"));
}

static void scenario(void (*run)(void), int status)
{
    CHECK_EQUAL(status, child_run(run));
}

#define SCENARIO(run, status)                                                                      \
    static void test_##run(void)                                                                   \
    {                                                                                              \
        scenario(run, status);                                                                     \
    }

SCENARIO(validation_needs_no_jvm, 0)
SCENARIO(listeners_wait_for_the_app, 0)
SCENARIO(without_apps_nothing_is_waited_for, 0)
SCENARIO(ready_line_comes_when_workers_listen, 0)
SCENARIO(leaving_while_the_app_loads, 0)
SCENARIO(jvm_fails_at_start, 1)
SCENARIO(no_jdk, 0)
SCENARIO(only_one_extension, 0)
SCENARIO(run_folder_goes_with_the_process, 0)
SCENARIO(run_folder_with_other_files_stays, 0)
SCENARIO(update_with_a_bad_app_is_survived, 0)
SCENARIO(filter_alone_waits_and_ends_the_jvm, 0)
SCENARIO(filter_alone_with_a_bad_app, 0)
SCENARIO(filter_alone_survives_a_bad_update, 0)
SCENARIO(filter_alone_without_a_jvm, 0)

static void test_app_fails_at_start(void)
{
    scenario(app_fails_at_start, 1);
    CHECK(!file_exists("run"));
}

int main(void)
{
    stand_in_folder();
    RUN(test_validation_needs_no_jvm);
    RUN(test_listeners_wait_for_the_app);
    RUN(test_without_apps_nothing_is_waited_for);
    RUN(test_ready_line_comes_when_workers_listen);
    RUN(test_leaving_while_the_app_loads);
    RUN(test_app_fails_at_start);
    RUN(test_jvm_fails_at_start);
    RUN(test_no_jdk);
    RUN(test_only_one_extension);
    RUN(test_run_folder_goes_with_the_process);
    RUN(test_run_folder_with_other_files_stays);
    RUN(test_update_with_a_bad_app_is_survived);
    RUN(test_filter_alone_waits_and_ends_the_jvm);
    RUN(test_filter_alone_with_a_bad_app);
    RUN(test_filter_alone_survives_a_bad_update);
    RUN(test_filter_alone_without_a_jvm);
    return check_report();
}
