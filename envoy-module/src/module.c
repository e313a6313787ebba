/* SPDX-License-Identifier: Apache-2.0 */
/* Loading: the ABI version, our place on disk, and that we are never unloaded. Main. */
#include "module.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "envoy_abi.h"
#include "settings_paths.h"

static pthread_once_t located = PTHREAD_ONCE_INIT;
static char *path;
static char *home;

static bool has_jars(const char *folder)
{
    char jars[PATH_MAX];

    snprintf(jars, sizeof(jars), "%s/jars", folder);
    return access(jars, X_OK) == 0;
}

static void locate(void)
{
    static const char anchor;
    Dl_info info = {0};
    char cwd[PATH_MAX] = "/";
    char real[PATH_MAX];

    if (dladdr(&anchor, &info) == 0 || !info.dli_fname)
        return;
    if (!getcwd(cwd, sizeof(cwd)))
        strcpy(cwd, "/");
    path = jrv_settings_path_absolute(cwd, info.dli_fname);
    home = path ? jrv_settings_path_absolute(path, "..") : NULL;
    /* A link in some folder of modules: what belongs to us lies beside the file it names. */
    if (home && !has_jars(home) && realpath(path, real)) {
        free(home);
        home = jrv_settings_path_absolute(real, "..");
    }
}

const char *jrv_module_path(void)
{
    pthread_once(&located, locate);
    return path ? path : "";
}

/* Weak, so that a test can have another home. */
__attribute__((weak)) const char *jrv_module_home(void)
{
    pthread_once(&located, locate);
    return home ? home : "";
}

const char *envoy_dynamic_module_on_program_init(void)
{
    /* A JVM cannot be unloaded, so neither can we, whatever the config's do_not_close says. The
     * handle is kept. */
    dlopen(jrv_module_path(), RTLD_NOW | RTLD_NODELETE | RTLD_NOLOAD);
    return envoy_dynamic_module_callback_log_v2 ? ENVOY_ABI_VERSION_1_40 : ENVOY_ABI_VERSION_1_39;
}
