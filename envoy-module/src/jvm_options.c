/* SPDX-License-Identifier: Apache-2.0 */
/* See jvm_options.h. Main. */
#include "jvm_options.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes room for one option more, empty for now. */
static bool grow(struct jrv_jvm_plan *plan)
{
    char **grown = realloc(plan->options, (plan->option_count + 1) * sizeof(*grown));

    if (!grown)
        return false;
    plan->options = grown;
    plan->options[plan->option_count++] = NULL;
    return true;
}

static bool add_pair(struct jrv_jvm_plan *plan, const char *name, const char *value)
{
    if (!grow(plan))
        return false;
    if (asprintf(&plan->options[plan->option_count - 1], "%s%s", name, value) < 0) {
        plan->option_count--;
        return false;
    }
    return true;
}

static bool add(struct jrv_jvm_plan *plan, const char *option)
{
    return add_pair(plan, option, "");
}

/* One option per line; blank lines and lines that start with # are skipped. */
static bool add_file(struct jrv_jvm_plan *plan, const char *home, struct jrv_fault *fault)
{
    char path[4096];
    char *line = NULL;
    size_t size = 0;
    bool good = true;
    FILE *file;

    snprintf(path, sizeof(path), "%s/jvm.options", home);
    file = fopen(path, "re");
    if (!file) {
        return jrv_fault_set(fault, "cannot read %s: %s; the installation is not complete", path,
                             strerror(errno));
    }
    while (good && getline(&line, &size, file) >= 0) {
        char *text = line + strspn(line, " \t");
        size_t length = strcspn(text, "\r\n");
        while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
            length--;
        text[length] = '\0';
        if (length > 0 && text[0] != '#')
            good = add(plan, text);
    }
    free(line);
    fclose(file);
    return good || jrv_fault_set(fault, "out of memory");
}

static int is_jar(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 4 && strcmp(entry->d_name + length - 4, ".jar") == 0;
}

/* The jars in the order of their bytes, not of the locale: an AOT cache fits one class path only.
 */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static char *join(const char *folder, struct dirent **jars, int count)
{
    size_t size = 1;
    char *path;
    char *end;

    for (int i = 0; i < count; i++)
        size += strlen(folder) + strlen(jars[i]->d_name) + 2;
    path = malloc(size);
    if (!path)
        return NULL;
    end = path;
    *end = '\0';
    for (int i = 0; i < count; i++)
        end += sprintf(end, "%s%s/%s", i ? ":" : "", folder, jars[i]->d_name);
    return path;
}

static bool add_class_path(struct jrv_jvm_plan *plan, const char *home, struct jrv_fault *fault)
{
    char folder[4096];
    struct dirent **jars = NULL;
    char *path = NULL;
    bool good;
    int count;

    snprintf(folder, sizeof(folder), "%s/jars", home);
    count = scandir(folder, &jars, is_jar, by_name);
    if (count <= 0) {
        free(jars);
        return jrv_fault_set(fault, "no jars in %s; the installation is not complete", folder);
    }
    path = join(folder, jars, count);
    good = path && add_pair(plan, "-Djava.class.path=", path);
    for (int i = 0; i < count; i++)
        free(jars[i]);
    free(jars);
    free(path);
    return good || jrv_fault_set(fault, "out of memory");
}

/* Whether one of the user's options starts like one of these. */
static bool user_has(const json_t *user, const char *const *starts)
{
    for (; *starts; starts++) {
        for (size_t i = 0; i < json_array_size(user); i++) {
            const char *option = json_string_value(json_array_get(user, i));
            if (strncmp(option, *starts, strlen(*starts)) == 0)
                return true;
        }
    }
    return false;
}

/* Ours is left out where the user has plans of that kind: the JVM takes one and refuses some
 * combinations. What it has to say about ours is said by jvm.c in one line. */
static bool add_aot_cache(struct jrv_jvm_plan *plan, const char *home, const json_t *user)
{
    static const char *const own[] = {"-XX:AOT", "-Xshare", "-XX:SharedArchiveFile", NULL};
    char path[4096];

    snprintf(path, sizeof(path), "%s/jruvoy.aot", home);
    if (access(path, R_OK) != 0 || user_has(user, own))
        return true;
    plan->aot_cache = strdup(path);
    return plan->aot_cache && add(plan, "-Xlog:aot*=off") && add_pair(plan, "-XX:AOTCache=", path);
}

static bool add_user(struct jrv_jvm_plan *plan, const json_t *user)
{
    bool good = true;

    for (size_t i = 0; i < json_array_size(user) && good; i++)
        good = add(plan, json_string_value(json_array_get(user, i)));
    return good;
}

bool jrv_jvm_options_collect(struct jrv_jvm_plan *plan, const char *home, const char *module,
                             const json_t *user, struct jrv_fault *fault)
{
    static const char *const recording[] = {"-XX:AOTMode=record", "-XX:AOTCacheOutput", NULL};

    /* -Xrs: the signals of the process belong to Envoy. */
    if (!add(plan, "-Xrs") || !add_pair(plan, "-Djruvoy.home=", home) ||
        !add_pair(plan, "-Djruvoy.module=", module))
        return jrv_fault_set(fault, "out of memory");
    if (!add_file(plan, home, fault) || !add_class_path(plan, home, fault))
        return false;
    plan->records = user_has(user, recording);
    return (add_aot_cache(plan, home, user) && add_user(plan, user)) ||
           jrv_fault_set(fault, "out of memory");
}
