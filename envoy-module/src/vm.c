/* SPDX-License-Identifier: Apache-2.0 */
/* See vm.h. The VM thread runs jrv_jvm_run() from start to end; everyone else only waits for it. */
#include "vm.h"

#include <pthread.h>
#include <stdlib.h>

#include "bootstrap.h"
#include "exit_now.h"
#include "java_home.h"
#include "jvm.h"
#include "jvm_options.h"
#include "log.h"
#include "module.h"
#include "monotonic.h"
#include "register.h"
#include "settings.h"

/* JRuby recurses deeply while it parses and compiles; the size was found by trying. */
#define VM_STACK_BYTES ((size_t)16 << 20)

/* Against a JVM that hangs while it writes an AOT cache at its end. */
#define RECORD_MS 300000

enum vm_state { VM_NONE, VM_RUNNING, VM_ENDED };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    enum vm_state state;
    bool configured;
    struct jrv_jvm_plan plan;
} vm = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void prepare(void)
{
    jrv_monotonic_condition_init(&vm.ended);
}

static void lock(void)
{
    pthread_once(&prepared, prepare);
    pthread_mutex_lock(&vm.lock);
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

/* Java takes the encoding of file names and arguments from the locale; without one it would be
 * ASCII. */
static void choose_locale(void)
{
    if (!is_set("LC_ALL") && !is_set("LC_CTYPE") && !is_set("LANG"))
        setenv("LC_ALL", "C.UTF-8", 1);
}

static void clear_plan(void)
{
    for (size_t i = 0; i < vm.plan.option_count; i++)
        free(vm.plan.options[i]);
    free(vm.plan.options);
    free(vm.plan.java_home);
    free(vm.plan.aot_cache);
    vm.plan = (struct jrv_jvm_plan){0};
}

bool jrv_vm_configure(const json_t *settings, struct jrv_fault *fault)
{
    const char *java_home = jrv_settings_string(settings, "java_home");

    clear_plan();
    vm.plan.java_home = jrv_java_home_find(java_home, fault);
    vm.configured = vm.plan.java_home &&
                    jrv_jvm_options_collect(&vm.plan, jrv_module_home(), jrv_module_path(),
                                            json_object_get(settings, "jvm_options"), fault);
    return vm.configured;
}

/* Java has ended: in order when the process stops, else there is nothing that could answer any
 * more. */
static void report_end(bool good, struct jrv_fault *fault)
{
    if (jrv_register_ended()) {
        if (!good)
            jrv_log(ENVOY_LOG_ERROR, "%s", fault->line);
        return;
    }
    if (good)
        jrv_fault_set(fault,
                      "the Java part has ended by itself; every app answers 503 from now on");
    if (jrv_bootstrap_starting())
        jrv_exit_now(1, fault->line);
    jrv_log_must_see(fault->line);
    jrv_register_lose_all();
}

static void *run(void *unused)
{
    struct jrv_fault fault = {""};
    bool good = jrv_jvm_run(&vm.plan, &fault);

    (void)unused;
    report_end(good, &fault);
    lock();
    vm.state = VM_ENDED;
    pthread_cond_broadcast(&vm.ended);
    pthread_mutex_unlock(&vm.lock);
    return NULL;
}

static int spawn(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, VM_STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    error = pthread_create(&thread, &attributes, run, NULL);
    if (!error)
        pthread_setname_np(thread, "jruvoy-vm");
    pthread_attr_destroy(&attributes);
    return error;
}

bool jrv_vm_start(struct jrv_fault *fault)
{
    bool good = true;

    lock();
    if (vm.state == VM_ENDED) {
        good = jrv_fault_set(fault, "the JVM of this process has ended and cannot start again; "
                                    "restart Envoy");
    } else if (vm.state == VM_NONE) {
        choose_locale();
        good = vm.configured || jrv_vm_configure(NULL, fault);
        if (good && spawn() != 0)
            good = jrv_fault_set(fault, "cannot create the thread of the JVM");
        if (good)
            vm.state = VM_RUNNING;
    }
    pthread_mutex_unlock(&vm.lock);
    return good;
}

bool jrv_vm_running(void)
{
    bool running;

    lock();
    running = vm.state == VM_RUNNING;
    pthread_mutex_unlock(&vm.lock);
    return running;
}

bool jrv_vm_stop(uint64_t milliseconds)
{
    struct timespec deadline;
    bool stopped;

    jrv_register_end();
    lock();
    deadline = jrv_monotonic_after(vm.plan.records ? RECORD_MS : milliseconds);
    while (vm.state == VM_RUNNING) {
        if (pthread_cond_timedwait(&vm.ended, &vm.lock, &deadline) != 0)
            break;
    }
    stopped = vm.state != VM_RUNNING;
    pthread_mutex_unlock(&vm.lock);
    return stopped;
}
