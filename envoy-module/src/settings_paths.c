/* SPDX-License-Identifier: Apache-2.0 */
/* See settings_paths.h. Main. */
#include "settings_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *jrv_settings_path_absolute(const char *base, const char *path)
{
    size_t length = strlen(base) + strlen(path) + 2;
    char *all = malloc(length);
    char *result = malloc(length);
    char *rest = NULL;
    size_t end = 0;

    if (!all || !result) {
        free(all);
        free(result);
        return NULL;
    }
    all[0] = '\0';
    if (path[0] != '/') {
        strcat(strcat(all, base), "/");
    }
    strcat(all, path);
    for (char *part = strtok_r(all, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
        if (strcmp(part, "..") == 0) {
            while (end > 0 && result[--end] != '/') {
            }
        } else if (strcmp(part, ".") != 0) {
            result[end++] = '/';
            memcpy(result + end, part, strlen(part));
            end += strlen(part);
        }
    }
    if (end == 0) {
        result[end++] = '/';
    }
    result[end] = '\0';
    free(all);
    return result;
}

/* Replaces the path under `key` by its absolute form, when there is one. */
static bool make_absolute(json_t *effective, const char *key, const char *base,
                          struct jrv_fault *fault)
{
    const char *given = jrv_settings_string(effective, key);
    char *path;
    int failed;

    if (!given) {
        return true;
    }
    path = jrv_settings_path_absolute(base, given);
    failed = json_object_set_new(effective, key, json_string(path ? path : ""));
    free(path);
    return failed == 0 || jrv_fault_set(fault, "%s: out of memory", key);
}

/* Whether the path names a readable file or, for a folder, one that can be entered. */
static bool readable(const char *path, bool folder)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (folder ? O_DIRECTORY : 0));
    bool good;

    if (descriptor < 0) {
        return false;
    }
    good = fstat(descriptor, &status) == 0 && (folder || !S_ISDIR(status.st_mode));
    close(descriptor);
    if (!good) {
        errno = EISDIR;
    }
    return good;
}

static bool require(const json_t *effective, const char *key, bool folder, struct jrv_fault *fault)
{
    const char *path = jrv_settings_string(effective, key);

    if (!path || readable(path, folder)) {
        return true;
    }
    return jrv_fault_set(fault, "filter_config.%s: cannot read %s: %s", key, path, strerror(errno));
}

/* The folder of a file given by its absolute path. The caller frees it. */
static char *folder_of(const char *path)
{
    return jrv_settings_path_absolute(path, "..");
}

static bool default_app_root(json_t *effective, struct jrv_fault *fault)
{
    char *folder;
    int failed;

    if (jrv_settings_string(effective, "app_root")) {
        return true;
    }
    folder = folder_of(jrv_settings_string(effective, "rackup"));
    failed = json_object_set_new(effective, "app_root", json_string(folder ? folder : ""));
    free(folder);
    return failed == 0 || jrv_fault_set(fault, "filter_config.app_root: out of memory");
}

static bool default_gemfile(json_t *effective, const char *root, struct jrv_fault *fault)
{
    char *path;
    int failed = 0;

    if (jrv_settings_string(effective, "gemfile")) {
        return true;
    }
    path = jrv_settings_path_absolute(root, "Gemfile");
    if (path && readable(path, false)) {
        failed = json_object_set_new(effective, "gemfile", json_string(path));
    }
    free(path);
    return failed == 0 || jrv_fault_set(fault, "filter_config.gemfile: out of memory");
}

static bool gem_path(json_t *effective, const char *root, struct jrv_fault *fault)
{
    json_t *folders = json_object_get(effective, "gem_path");

    for (size_t i = 0; i < json_array_size(folders); i++) {
        char *path =
            jrv_settings_path_absolute(root, json_string_value(json_array_get(folders, i)));
        int failed = json_array_set_new(folders, i, json_string(path ? path : ""));
        free(path);
        if (failed) {
            return jrv_fault_set(fault, "filter_config.gem_path: out of memory");
        }
        const char *folder = json_string_value(json_array_get(folders, i));
        if (!readable(folder, true)) {
            return jrv_fault_set(fault, "filter_config.gem_path[%zu]: cannot read %s: %s", i,
                                 folder, strerror(errno));
        }
    }
    return true;
}

/* The order matters: each path may be the base of the next. */
static bool complete_filter(json_t *effective, const char *cwd, struct jrv_fault *fault)
{
    const char *root;

    if (!make_absolute(effective, "app_root", cwd, fault)) {
        return false;
    }
    root = jrv_settings_string(effective, "app_root");
    if (!make_absolute(effective, "rackup", root ? root : cwd, fault) ||
        !require(effective, "app_root", true, fault) ||
        !require(effective, "rackup", false, fault) || !default_app_root(effective, fault)) {
        return false;
    }
    root = jrv_settings_string(effective, "app_root");
    return make_absolute(effective, "gemfile", root, fault) &&
           require(effective, "gemfile", false, fault) && default_gemfile(effective, root, fault) &&
           gem_path(effective, root, fault);
}

bool jrv_settings_paths_of_filter(json_t *effective, struct jrv_fault *fault)
{
    char *cwd = getcwd(NULL, 0);
    bool good = cwd ? complete_filter(effective, cwd, fault)
                    : jrv_fault_set(fault, "the working directory is gone: %s", strerror(errno));

    free(cwd);
    return good;
}

bool jrv_settings_paths_of_bootstrap(json_t *effective, struct jrv_fault *fault)
{
    char *cwd = getcwd(NULL, 0);
    bool good = cwd ? make_absolute(effective, "java_home", cwd, fault) &&
                          make_absolute(effective, "run_folder", cwd, fault)
                    : jrv_fault_set(fault, "the working directory is gone: %s", strerror(errno));

    free(cwd);
    return good;
}
