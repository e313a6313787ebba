/* SPDX-License-Identifier: Apache-2.0 */
/* Settings: what is refused and in which words, and what the effective settings are. */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "cpus.h"
#include "settings_definition.h"
#include "settings_paths.h"
#include "settings_value.h"

static char folder[] = "/tmp/jruvoy-settings-XXXXXX";

static void write_file(const char *name)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    fputs("run ->(_) { [200, {}, []] }\n", file);
    fclose(file);
}

/* Checks filter settings given as JSON with single quotes; the caller owns the result. */
static json_t *check(enum jrv_settings_part part, const char *text, struct jrv_fault *fault)
{
    char json[4096];

    snprintf(json, sizeof(json), "%s", text);
    for (char *at = json; *at; at++) {
        if (*at == '\'')
            *at = '"';
    }
    fault->line[0] = '\0';
    return jrv_settings_check(part, json, strlen(json), fault);
}

static void refused(enum jrv_settings_part part, const char *text, const char *line)
{
    struct jrv_fault fault;
    json_t *effective = check(part, text, &fault);

    CHECK(effective == NULL);
    CHECK_TEXT(line, fault.line);
    json_decref(effective);
}

static void refused_filter(const char *more, const char *line)
{
    char text[2048];

    snprintf(text, sizeof(text), "{'rackup': 'config.ru', %s}", more);
    refused(JRV_SETTINGS_FILTER, text, line);
}

static json_t *accepted_filter(const char *more)
{
    char text[2048];
    struct jrv_fault fault;
    json_t *effective;

    snprintf(text, sizeof(text), "{'rackup': 'config.ru'%s}", more);
    effective = check(JRV_SETTINGS_FILTER, text, &fault);
    CHECK_TEXT("", fault.line);
    CHECK(effective != NULL);
    return effective;
}

static void fills_in_defaults(void)
{
    char expected[1024];
    json_t *effective = accepted_filter("");
    char *text = jrv_settings_text(effective);

    snprintf(expected, sizeof(expected),
             "{\"app_root\":\"%s\",\"drain_timeout_ms\":30000,\"max_buffered_bytes\":67108864,"
             "\"max_requests\":1024,\"mode\":\"fibers\",\"owners\":1,\"rackup\":\"%s/"
             "config.ru\",\"stall_limit_ms\":1000,\"threads\":16,\"window_bytes\":262144}",
             folder, folder);
    CHECK_TEXT(expected, text);
    free(text);
    json_decref(effective);
}

static void takes_numbers_as_a_struct_has_them(void)
{
    static const char *const texts[] = {", 'max_requests': 2000", ", 'max_requests': 2000.0",
                                        ", 'max_requests': 2e3"};

    for (size_t i = 0; i < 3; i++) {
        json_t *effective = accepted_filter(texts[i]);
        CHECK_EQUAL(2000, jrv_settings_number(effective, "max_requests"));
        json_decref(effective);
    }
}

static void takes_sizes_and_durations(void)
{
    json_t *effective = accepted_filter(
        ", 'window_bytes': '64KiB', 'max_buffered_bytes': 2097152.0, 'drain_timeout': '5m'");

    CHECK_EQUAL(65536, jrv_settings_number(effective, "window_bytes"));
    CHECK_EQUAL(2097152, jrv_settings_number(effective, "max_buffered_bytes"));
    CHECK_EQUAL(300000, jrv_settings_number(effective, "drain_timeout_ms"));
    CHECK(json_object_get(effective, "drain_timeout") == NULL);
    json_decref(effective);
}

static void auto_counts_the_cpus(void)
{
    json_t *effective = accepted_filter(", 'owners': 'auto'");

    CHECK(jrv_settings_number(effective, "owners") >= 1);
    CHECK_EQUAL(jrv_cpus_available(), jrv_settings_number(effective, "owners"));
    json_decref(effective);
    refused_filter("'owners': 'all'", "jruvoy: filter_config.owners: \"all\" is not an integer; "
                                      "give a whole number from 1 to 64, or auto");
    refused_filter("'owners': 65", "jruvoy: filter_config.owners: 65 is out of range; "
                                   "give a whole number from 1 to 64, or auto");
    refused_filter("'max_requests': 'auto'",
                   "jruvoy: filter_config.max_requests: \"auto\" is not an integer; "
                   "give a whole number from 1 to 1000000");
}

static void a_quota_counts_as_cpus(void)
{
    CHECK_EQUAL(0, jrv_cpus_of_quota("max 100000\n"));
    CHECK_EQUAL(2, jrv_cpus_of_quota("200000 100000\n"));
    CHECK_EQUAL(2, jrv_cpus_of_quota("150000 100000"));
    CHECK_EQUAL(1, jrv_cpus_of_quota("5000 100000"));
    CHECK_EQUAL(0, jrv_cpus_of_quota(""));
}

static void equal_settings_give_equal_texts(void)
{
    json_t *one = accepted_filter(", 'max_requests': 1024, 'window_bytes': '256KiB'");
    json_t *other = accepted_filter(", 'window_bytes': 262144");
    char *one_text = jrv_settings_text(one);
    char *other_text = jrv_settings_text(other);

    CHECK_TEXT(one_text, other_text);
    free(one_text);
    free(other_text);
    json_decref(one);
    json_decref(other);
}

static void refuses_wrong_types(void)
{
    refused_filter("'max_requests': 'many'",
                   "jruvoy: filter_config.max_requests: \"many\" is not an integer; "
                   "give a whole number from 1 to 1000000");
    refused_filter("'max_requests': 1.5",
                   "jruvoy: filter_config.max_requests: 1.5 is not an integer; "
                   "give a whole number from 1 to 1000000");
    refused_filter("'max_requests': null",
                   "jruvoy: filter_config.max_requests: null is not an integer; "
                   "give a whole number from 1 to 1000000");
    refused_filter("'max_requests': ['1']",
                   "jruvoy: filter_config.max_requests: a list is not an integer; "
                   "give a whole number from 1 to 1000000");
    refused_filter("'app_root': 3",
                   "jruvoy: filter_config.app_root: 3 is not a string; put it in quotes");
    refused_filter(
        "'gem_path': 'vendor'",
        "jruvoy: filter_config.gem_path: \"vendor\" is not a list; give a list of strings");
    refused_filter("'gem_path': ['vendor', 7]",
                   "jruvoy: filter_config.gem_path[1]: 7 is not a string "
                   "with something in it; give a list of strings");
    refused_filter("'env': {'PORT': 80}",
                   "jruvoy: filter_config.env.PORT: 80 is not a string; put it in quotes");
    refused_filter("'env': {'A=B': 'x'}", "jruvoy: filter_config.env: \"A=B\" is not a name; "
                                          "it must not be empty or have a \"=\"");
    refused_filter("'env': true",
                   "jruvoy: filter_config.env: true is not a map; give names with string values");
}

static void refuses_impossible_values(void)
{
    refused_filter(
        "'mode': 'fiber'",
        "jruvoy: filter_config.mode: \"fiber\" is no value for it; give fibers or threads");
    refused_filter("'mode': 2",
                   "jruvoy: filter_config.mode: 2 is no value for it; give fibers or threads");
    refused_filter("'max_requests': 0", "jruvoy: filter_config.max_requests: 0 is out of range; "
                                        "give a whole number from 1 to 1000000");
    refused_filter("'max_requests': 1e300",
                   "jruvoy: filter_config.max_requests: 1e300 is out of range; "
                   "give a whole number from 1 to 1000000");
    refused_filter("'window_bytes': '1KiB'",
                   "jruvoy: filter_config.window_bytes: \"1KiB\" is out of range; give bytes or a "
                   "number with KiB, MiB or GiB, like \"64KiB\", from 4KiB to 64MiB");
    refused_filter("'window_bytes': '64KB'",
                   "jruvoy: filter_config.window_bytes: \"64KB\" is not a size; give bytes or a "
                   "number with KiB, MiB or GiB, like \"64KiB\", from 4KiB to 64MiB");
    refused_filter("'drain_timeout': 30",
                   "jruvoy: filter_config.drain_timeout: 30 is not a duration; give a number with "
                   "ms, s, m or h, like \"30s\", from 0s to 24h");
    refused_filter(
        "'drain_timeout': '25h'",
        "jruvoy: filter_config.drain_timeout: \"25h\" is out of range; give a number with "
        "ms, s, m or h, like \"30s\", from 0s to 24h");
    refused_filter("'app_root': ''", "jruvoy: filter_config.app_root: it is empty; give a value or "
                                     "leave the key out");
}

static void refuses_unknown_keys(void)
{
    refused_filter(
        "'max_request': 5",
        "jruvoy: filter_config.max_request: unknown key; did you mean \"max_requests\"?");
    refused_filter("'drain-timeout': '5s'", "jruvoy: filter_config.drain-timeout: unknown key; "
                                            "did you mean \"drain_timeout\"?");
    refused(JRV_SETTINGS_BOOTSTRAP, "{'colour': 'red'}",
            "jruvoy: extension_config.colour: unknown key; known are java_home, jvm_options, "
            "listening_url, run_folder");
}

static void refuses_what_is_no_map(void)
{
    struct jrv_fault fault;

    refused(JRV_SETTINGS_FILTER, "[1]",
            "jruvoy: filter_config: not a map of settings; give a google.protobuf.Struct");
    CHECK(check(JRV_SETTINGS_FILTER, "config.ru", &fault) == NULL);
    CHECK(strstr(fault.line, "filter_config: not valid JSON") != NULL);
    CHECK(check(JRV_SETTINGS_FILTER, "", &fault) == NULL);
    CHECK(strstr(fault.line, "filter_config.rackup: missing, but required") != NULL);
}

/* Whatever the user wrote, the message is one line that a log can take. */
static void messages_are_one_short_line(void)
{
    char text[3000];
    struct jrv_fault fault;

    refused_filter("'env': {'A\\nB': 1}",
                   "jruvoy: filter_config.env.A B: 1 is not a string; put it in quotes");
    memset(text, 'x', sizeof(text));
    memcpy(text, "{'rackup': 'config.ru', 'max_requests': '", 41);
    strcpy(text + sizeof(text) - 3, "'}");
    CHECK(check(JRV_SETTINGS_FILTER, text, &fault) == NULL);
    CHECK(strlen(fault.line) < 300);
    CHECK(strstr(fault.line, "xxx... is not an integer") != NULL);
}

static void rackup_must_be_readable(void)
{
    char line[512];

    snprintf(line, sizeof(line),
             "jruvoy: filter_config.rackup: cannot read %s/none.ru: No such file or directory",
             folder);
    refused(JRV_SETTINGS_FILTER, "{'rackup': 'none.ru'}", line);
    snprintf(line, sizeof(line), "jruvoy: filter_config.rackup: cannot read %s: Is a directory",
             folder);
    refused(JRV_SETTINGS_FILTER, "{'rackup': '.'}", line);
    snprintf(line, sizeof(line),
             "jruvoy: filter_config.gemfile: cannot read %s/Gems: No such file or directory",
             folder);
    refused_filter("'gemfile': 'Gems'", line);
    snprintf(line, sizeof(line),
             "jruvoy: filter_config.app_root: cannot read %s/config.ru: Not a directory", folder);
    refused_filter("'app_root': 'config.ru'", line);
    snprintf(line, sizeof(line),
             "jruvoy: filter_config.gem_path[1]: cannot read %s/gems: No such file or directory",
             folder);
    refused_filter("'gem_path': ['sub', 'gems']", line);
}

static void paths_count_from_their_bases(void)
{
    char expected[512];
    struct jrv_fault fault;
    json_t *effective = check(
        JRV_SETTINGS_FILTER,
        "{'app_root': 'sub/.', 'rackup': '../config.ru', 'gem_path': ['../sub', '/tmp']}", &fault);

    CHECK_TEXT("", fault.line);
    snprintf(expected, sizeof(expected), "%s/sub", folder);
    CHECK_TEXT(expected, jrv_settings_string(effective, "app_root"));
    snprintf(expected, sizeof(expected), "%s/config.ru", folder);
    CHECK_TEXT(expected, jrv_settings_string(effective, "rackup"));
    snprintf(expected, sizeof(expected), "%s/sub/Gemfile", folder);
    CHECK_TEXT(expected, jrv_settings_string(effective, "gemfile"));
    snprintf(expected, sizeof(expected), "%s/sub", folder);
    CHECK_TEXT(expected,
               json_string_value(json_array_get(json_object_get(effective, "gem_path"), 0)));
    CHECK_TEXT("/tmp",
               json_string_value(json_array_get(json_object_get(effective, "gem_path"), 1)));
    json_decref(effective);
}

static void absolute(const char *base, const char *path, const char *expected)
{
    char *result = jrv_settings_path_absolute(base, path);

    CHECK_TEXT(expected, result);
    free(result);
}

static void paths_are_cleaned(void)
{
    absolute("/a/b", "c", "/a/b/c");
    absolute("/a/b", "../c", "/a/c");
    absolute("/a/b", "../../../..", "/");
    absolute("/a/b", "/x//y/./z/", "/x/y/z");
    absolute("/a/b", "..c/...", "/a/b/..c/...");
    absolute("/", "", "/");
}

static void units_are_exact(void)
{
    uint64_t number = 0;

    CHECK(jrv_settings_duration_parse("250ms", &number) && number == 250);
    CHECK(jrv_settings_duration_parse("1h", &number) && number == 3600000);
    CHECK(jrv_settings_size_parse("2GiB", &number) && number == UINT64_C(2) << 30);
    CHECK(!jrv_settings_duration_parse("", &number));
    CHECK(!jrv_settings_duration_parse("5", &number));
    CHECK(!jrv_settings_duration_parse("-5s", &number));
    CHECK(!jrv_settings_duration_parse("5 s", &number));
    CHECK(!jrv_settings_size_parse("99999999999999999999", &number));
    CHECK(!jrv_settings_size_parse("9999999999999999GiB", &number));
}

/* The definition only has types that the checks know, and its own defaults pass them. */
static void definition_is_sound(void)
{
    for (int part = JRV_SETTINGS_FILTER; part <= JRV_SETTINGS_BOOTSTRAP; part++) {
        const json_t *all = jrv_settings_definition((enum jrv_settings_part)part);
        CHECK(json_array_size(all) > 0);
        for (size_t i = 0; i < json_array_size(all); i++) {
            const json_t *setting = json_array_get(all, i);
            const char *name = jrv_settings_string(setting, "name");
            const json_t *value = json_object_get(setting, "default");
            struct jrv_fault fault = {""};
            json_t *into = json_object();
            CHECK(name && jrv_settings_string(setting, "text"));
            jrv_settings_value_check(setting, name, value ? value : json_null(), into, &fault);
            CHECK(value ? fault.line[0] == '\0' : !strstr(fault.line, "does not know"));
            json_decref(into);
        }
    }
}

static void bootstrap_settings(void)
{
    struct jrv_fault fault;
    char expected[512];
    json_t *effective =
        check(JRV_SETTINGS_BOOTSTRAP, "{'jvm_options': ['-Xmx1g'], 'run_folder': 'run'}", &fault);

    CHECK_TEXT("", fault.line);
    snprintf(expected, sizeof(expected), "%s/run", folder);
    CHECK_TEXT(expected, jrv_settings_string(effective, "run_folder"));
    CHECK_EQUAL(1, json_array_size(json_object_get(effective, "jvm_options")));
    json_decref(effective);
    effective = check(JRV_SETTINGS_BOOTSTRAP, "", &fault);
    CHECK_EQUAL(0, json_object_size(effective));
    json_decref(effective);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("sub", 0700) != 0)
        return 2;
    write_file("config.ru");
    write_file("sub/Gemfile");
    RUN(fills_in_defaults);
    RUN(takes_numbers_as_a_struct_has_them);
    RUN(takes_sizes_and_durations);
    RUN(auto_counts_the_cpus);
    RUN(a_quota_counts_as_cpus);
    RUN(equal_settings_give_equal_texts);
    RUN(refuses_wrong_types);
    RUN(refuses_impossible_values);
    RUN(refuses_unknown_keys);
    RUN(refuses_what_is_no_map);
    RUN(messages_are_one_short_line);
    RUN(rackup_must_be_readable);
    RUN(paths_count_from_their_bases);
    RUN(paths_are_cleaned);
    RUN(units_are_exact);
    RUN(definition_is_sound);
    RUN(bootstrap_settings);
    unlink("sub/Gemfile");
    unlink("config.ru");
    rmdir("sub");
    rmdir(folder);
    return check_report();
}
