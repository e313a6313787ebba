/* SPDX-License-Identifier: Apache-2.0 */
/* See stand_in_jvm.h. jrv_jvm_run() is the VM thread; each app has a thread for its owner. */
#include "stand_in_jvm.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "jvm.h"
#include "layout.h"
#include "module.h"
#include "natives.h"

#define APPS_MAX 16

bool stand_in_refuses;
_Atomic bool stand_in_loads;
_Atomic int stand_in_runs;
_Atomic int stand_in_ends;
_Atomic int stand_in_apps;
_Atomic int stand_in_stopped;

static _Atomic bool ending;
static char home[PATH_MAX];
static pid_t maker;

static void wait_a_little(void)
{
    const struct timespec pause = {0, 1000000};

    nanosleep(&pause, NULL);
}

static bool got_stop(int64_t app)
{
    struct jrv_event events[8];
    int32_t count =
        jruvoy_native_poll(jruvoy_native_app_inbox(app, 0), (int64_t)(intptr_t)events, 8);

    for (int32_t i = 0; i < count; i++) {
        if (events[i].kind == JRV_EVENT_STOP)
            return true;
    }
    return false;
}

static void *own(void *handle)
{
    int64_t app = (int64_t)(intptr_t)handle;
    const char *settings = (const char *)(intptr_t)jruvoy_native_app_settings(app);

    while (strstr(settings, "slow.ru") && !atomic_load(&stand_in_loads) && !atomic_load(&ending))
        wait_a_little();
    if (strstr(settings, "bad.ru")) {
        jruvoy_native_app_failed(app, "bad.ru:1: it is bad (BadError)");
    } else {
        jruvoy_native_app_ready(app);
        while (!atomic_load(&ending)) {
            if (got_stop(app)) {
                atomic_fetch_add(&stand_in_stopped, 1);
                break;
            }
            wait_a_little();
        }
    }
    jruvoy_native_app_stopped(app);
    return NULL;
}

bool jrv_jvm_run(const struct jrv_jvm_plan *plan, struct jrv_fault *fault)
{
    pthread_t owners[APPS_MAX];
    int count = 0;
    int64_t app;

    (void)plan;
    atomic_fetch_add(&stand_in_runs, 1);
    if (stand_in_refuses)
        return jrv_fault_set(fault, "the stand-in refuses to start");
    while ((app = jruvoy_native_next_app()) != 0) {
        atomic_fetch_add(&stand_in_apps, 1);
        pthread_create(&owners[count++], NULL, own, (void *)(intptr_t)app);
    }
    atomic_store(&ending, true);
    while (count > 0)
        pthread_join(owners[--count], NULL);
    atomic_fetch_add(&stand_in_ends, 1);
    return true;
}

/* ---- The folder ---- */

static const char *const folders[] = {"jars", "jdk", "jdk/lib", "jdk/lib/server"};
static const char *const files[] = {
    "good.ru",    "other.ru",    "bad.ru",      "slow.ru",
    "jars/a.jar", "jvm.options", "jdk/release", "jdk/lib/server/libjvm.so"};

const char *jrv_module_home(void)
{
    return home;
}

/* Children of the test inherit the handler, not the duty. */
static void remove_folder(void)
{
    if (getpid() != maker)
        return;
    for (size_t i = sizeof(files) / sizeof(files[0]); i-- > 0;)
        unlink(files[i]);
    for (size_t i = sizeof(folders) / sizeof(folders[0]); i-- > 0;)
        rmdir(folders[i]);
    rmdir(home);
}

void stand_in_folder(void)
{
    char template[] = "/tmp/jruvoy-test-XXXXXX";
    char jdk[PATH_MAX + 8];

    if (!mkdtemp(template) || chdir(template) != 0)
        abort();
    strcpy(home, template);
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        mkdir(folders[i], 0700);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        FILE *file = fopen(files[i], "w");
        if (strcmp(files[i], "jdk/release") == 0)
            fputs("JAVA_VERSION=\"25.0.1\"\n", file);
        fclose(file);
    }
    snprintf(jdk, sizeof(jdk), "%s/jdk", home);
    setenv("JAVA_HOME", jdk, 1);
    maker = getpid();
    atexit(remove_folder);
}
