/* SPDX-License-Identifier: Apache-2.0 */
/* What the JVM is created with, and which folder passes for a JDK. */
#include "jvm_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "java_home.h"
#include "module.h"
#include "stand_in_jvm.h"

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
}

static void clear(struct jrv_jvm_plan *plan)
{
    for (size_t i = 0; i < plan->option_count; i++)
        free(plan->options[i]);
    free(plan->options);
    free(plan->aot_cache);
    *plan = (struct jrv_jvm_plan){0};
}

static void options_come_in_their_order(void)
{
    const char *home = jrv_module_home();
    struct jrv_jvm_plan plan = {0};
    struct jrv_fault fault = {""};
    json_t *user = json_pack("[ss]", "-Xmx1g", "-Dx=y z");
    char expected[512];

    write_file("jvm.options",
               "# a comment\n\n  -Xmx256m \t\n--add-opens=a/b=c\r\n  # another\n-Xss2m");
    write_file("jars/b.jar", "");
    write_file("jars/Z.jar", "");
    write_file("jars/notes.txt", "");
    CHECK(jrv_jvm_options_collect(&plan, home, "/m/libjruvoy.so", user, &fault));
    CHECK_EQUAL(9, plan.option_count);
    CHECK_TEXT("-Xrs", plan.options[0]);
    CHECK_TEXT("-Djruvoy.module=/m/libjruvoy.so", plan.options[2]);
    CHECK_TEXT("-Xmx256m", plan.options[3]);
    CHECK_TEXT("--add-opens=a/b=c", plan.options[4]);
    CHECK_TEXT("-Xss2m", plan.options[5]);
    snprintf(expected, sizeof(expected),
             "-Djava.class.path=%s/jars/Z.jar:%s/jars/a.jar:%s/jars/b.jar", home, home, home);
    CHECK_TEXT(expected, plan.options[6]);
    CHECK_TEXT("-Xmx1g", plan.options[7]);
    CHECK_TEXT("-Dx=y z", plan.options[8]);
    clear(&plan);
    json_decref(user);
    unlink("jars/notes.txt");
    unlink("jars/Z.jar");
    unlink("jars/b.jar");
}

static void aot_cache_is_used_when_it_is_there(void)
{
    struct jrv_jvm_plan plan = {0};
    struct jrv_fault fault = {""};
    char expected[512];

    write_file("jvm.options", "");
    write_file("jruvoy.aot", "");
    CHECK(jrv_jvm_options_collect(&plan, jrv_module_home(), "", NULL, &fault));
    CHECK_EQUAL(6, plan.option_count);
    snprintf(expected, sizeof(expected), "-XX:AOTCache=%s/jruvoy.aot", jrv_module_home());
    CHECK_TEXT(expected, plan.options[5]);
    CHECK_TEXT(strchr(expected, '=') + 1, plan.aot_cache);
    CHECK(!plan.records);
    clear(&plan);
    unlink("jruvoy.aot");
}

static void aot_cache_of_ours_gives_way_to_the_users_plans(void)
{
    static const char *const plans[] = {"-XX:AOTMode=record", "-XX:AOTCacheOutput=x",
                                        "-XX:AOTMode=off", "-Xshare:off",
                                        "-XX:SharedArchiveFile=x"};

    write_file("jvm.options", "");
    write_file("jruvoy.aot", "");
    for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
        struct jrv_jvm_plan plan = {0};
        struct jrv_fault fault = {""};
        json_t *user = json_pack("[ss]", "-Dx=y", plans[i]);

        CHECK(jrv_jvm_options_collect(&plan, jrv_module_home(), "", user, &fault));
        CHECK_EQUAL(6, plan.option_count);
        CHECK_TEXT(plans[i], plan.options[5]);
        CHECK(plan.aot_cache == NULL);
        CHECK(plan.records == (i < 2));
        clear(&plan);
        json_decref(user);
    }
    unlink("jruvoy.aot");
}

static void incomplete_home_is_refused(void)
{
    struct jrv_jvm_plan plan = {0};
    struct jrv_fault fault = {""};

    CHECK(!jrv_jvm_options_collect(&plan, "/nowhere", "", NULL, &fault));
    CHECK_TEXT("jruvoy: cannot read /nowhere/jvm.options: No such file or directory; the "
               "installation is not complete",
               fault.line);
    clear(&plan);
}

static void feature_is_read_from_the_release_file(void)
{
    CHECK_EQUAL(25, jrv_java_home_feature("JAVA_VERSION=\"25.0.1\"\n"));
    CHECK_EQUAL(26, jrv_java_home_feature("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"26-ea\"\n"));
    CHECK_EQUAL(17, jrv_java_home_feature("MY_JAVA_VERSION=\"9\"\nJAVA_VERSION=\"17\"\n"));
    CHECK_EQUAL(1, jrv_java_home_feature("JAVA_VERSION=\"1.8.0\"\n"));
    CHECK_EQUAL(0, jrv_java_home_feature("MY_JAVA_VERSION=\"25\"\n"));
    CHECK_EQUAL(0, jrv_java_home_feature(""));
}

static void jdk_must_be_new_and_whole(void)
{
    struct jrv_fault fault = {""};
    char *home = jrv_java_home_find("jdk", &fault);

    CHECK_TEXT("jdk", home ? home : "");
    free(home);
    home = jrv_java_home_find(NULL, &fault);
    CHECK_TEXT(getenv("JAVA_HOME"), home ? home : "");
    free(home);

    write_file("jdk/release", "JAVA_VERSION=\"17.0.2\"\n");
    CHECK(jrv_java_home_find("jdk", &fault) == NULL);
    CHECK(strstr(fault.line, "extension_config.java_home jdk is JDK 17, but Jruvoy needs 25 or "
                             "newer; install") != NULL);
    write_file("jdk/release", "JAVA_VERSION=\"25\"\n");
    unlink("jdk/lib/server/libjvm.so");
    CHECK(jrv_java_home_find(NULL, &fault) == NULL);
    CHECK(strstr(fault.line, "has no JVM to embed") != NULL);
    unlink("jdk/release");
    CHECK(jrv_java_home_find(NULL, &fault) == NULL);
    CHECK(strstr(fault.line, "is not a JDK") != NULL);
}

int main(void)
{
    stand_in_folder();
    RUN(options_come_in_their_order);
    RUN(aot_cache_is_used_when_it_is_there);
    RUN(aot_cache_of_ours_gives_way_to_the_users_plans);
    RUN(incomplete_home_is_refused);
    RUN(feature_is_read_from_the_release_file);
    RUN(jdk_must_be_new_and_whole);
    return check_report();
}
