/* SPDX-License-Identifier: Apache-2.0 */
/* See java_home.h. Main. */
#include "java_home.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OLDEST_FEATURE 25
#define HOW_TO_FIX                                                                                 \
    "install JDK 25 (Debian 13: openjdk-25-jdk, elsewhere Temurin) and set JAVA_HOME to its "      \
    "folder"

int jrv_java_home_feature(const char *release)
{
    static const char key[] = "JAVA_VERSION=\"";
    const char *at = strstr(release, key);

    /* Some other key may end in JAVA_VERSION. */
    while (at && at != release && at[-1] != '\n')
        at = strstr(at + 1, key);
    return at ? atoi(at + sizeof(key) - 1) : 0;
}

/* The first bytes of the JDK's release file; false with errno when it cannot be read. */
static bool read_release(const char *home, char *text, size_t size)
{
    char path[4096];
    FILE *file;
    size_t length;

    snprintf(path, sizeof(path), "%s/release", home);
    file = fopen(path, "re");
    if (!file)
        return false;
    length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return true;
}

static bool check(const char *home, const char *source, struct jrv_fault *fault)
{
    char text[4096];
    char library[4096];
    int feature;

    if (!read_release(home, text, sizeof(text))) {
        return jrv_fault_set(fault, "%s %.300s is not a JDK (%.300s/release: %s); %s", source, home,
                             home, strerror(errno), HOW_TO_FIX);
    }
    feature = jrv_java_home_feature(text);
    if (feature < OLDEST_FEATURE) {
        return jrv_fault_set(fault, "%s %.300s is JDK %d, but Jruvoy needs %d or newer; %s", source,
                             home, feature, OLDEST_FEATURE, HOW_TO_FIX);
    }
    snprintf(library, sizeof(library), "%s/lib/server/libjvm.so", home);
    if (access(library, R_OK) != 0) {
        return jrv_fault_set(fault, "%s %.300s has no JVM to embed (lib/server/libjvm.so: %s); %s",
                             source, home, strerror(errno), HOW_TO_FIX);
    }
    return true;
}

static bool is_blank(const char *text)
{
    return !text || text[strspn(text, " \t\r\n")] == '\0';
}

char *jrv_java_home_find(const char *setting, struct jrv_fault *fault)
{
    const char *source = setting ? "extension_config.java_home" : "JAVA_HOME";
    const char *home = setting ? setting : getenv("JAVA_HOME");
    char *copy;

    if (is_blank(home)) {
        jrv_fault_set(fault, "no JDK: JAVA_HOME is not set; %s", HOW_TO_FIX);
        return NULL;
    }
    if (!check(home, source, fault))
        return NULL;
    copy = strdup(home);
    if (!copy)
        jrv_fault_set(fault, "out of memory");
    return copy;
}
