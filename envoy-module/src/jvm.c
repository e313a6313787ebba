/* SPDX-License-Identifier: Apache-2.0 */
/* See jvm.h. The only file that includes jni.h, and JNI does nothing but create, run, destroy. VM
 * thread. */
#include "jvm.h"

#include <dlfcn.h>
#include <jni.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

/* What the JVM says of itself when it runs from an archive of classes. */
#define USING_ARCHIVE 16

typedef jint (*create_function)(JavaVM **vm, void **environment, void *arguments);

/* libjvm is never closed: a JVM cannot be unloaded. */
static create_function find_create(const char *java_home, struct jrv_fault *fault)
{
    char path[PATH_MAX];
    void *library;
    void *symbol;
    create_function function;

    snprintf(path, sizeof(path), "%s/lib/server/libjvm.so", java_home);
    library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    symbol = library ? dlsym(library, "JNI_CreateJavaVM") : NULL;
    if (!symbol)
        jrv_fault_set(fault, "cannot load the JVM: %s", dlerror());
    /* ISO C has no cast between the two kinds of pointers. */
    memcpy(&function, &symbol, sizeof(function));
    return function;
}

/* Whether it took the cache. It never fails for that; one that does not say counts as if it had. */
static bool uses_archive(void)
{
    void *symbol = dlsym(RTLD_DEFAULT, "JVM_GetCDSConfigStatus");
    jint (*status)(void);

    if (!symbol)
        return true;
    memcpy(&status, &symbol, sizeof(status));
    return (status() & USING_ARCHIVE) != 0;
}

static JNIEnv *create(const struct jrv_jvm_plan *plan, JavaVM **vm, struct jrv_fault *fault)
{
    create_function function = find_create(plan->java_home, fault);
    JavaVMOption *options = calloc(plan->option_count + 1, sizeof(*options));
    JavaVMInitArgs arguments = {.version = JNI_VERSION_10,
                                .nOptions = (jint)plan->option_count,
                                .options = options,
                                .ignoreUnrecognized = JNI_FALSE};
    JNIEnv *environment = NULL;
    jint result;

    if (function && options) {
        for (size_t i = 0; i < plan->option_count; i++)
            options[i].optionString = plan->options[i];
        result = function(vm, (void **)&environment, &arguments);
        if (result != JNI_OK) {
            jrv_fault_set(fault,
                          "the JVM of %s refused to start (error %d); it wrote the reason to "
                          "standard error; look at jvm_options",
                          plan->java_home, (int)result);
            environment = NULL;
        } else if (plan->aot_cache && !uses_archive()) {
            jrv_log(ENVOY_LOG_WARN,
                    "jruvoy: the JVM does not take the AOT cache %s and starts slowly: it is "
                    "damaged (remove it and run scripts/setup), or jvm_options do not go with it "
                    "(-Xlog:aot among them says why)",
                    plan->aot_cache);
        }
    }
    free(options);
    return environment;
}

/* Puts what `thrown` says into the fault. Clears whatever that throws in turn. */
static void describe(JNIEnv *environment, jthrowable thrown, struct jrv_fault *fault)
{
    jclass class = (*environment)->GetObjectClass(environment, thrown);
    jmethodID method =
        (*environment)->GetMethodID(environment, class, "toString", "()Ljava/lang/String;");
    jstring text =
        method ? (jstring)(*environment)->CallObjectMethod(environment, thrown, method) : NULL;
    const char *bytes = NULL;

    if (text && !(*environment)->ExceptionCheck(environment))
        bytes = (*environment)->GetStringUTFChars(environment, text, NULL);
    jrv_fault_set(fault, "the Java part failed: %.1200s", bytes ? bytes : "an exception");
    if (bytes)
        (*environment)->ReleaseStringUTFChars(environment, text, bytes);
    (*environment)->ExceptionClear(environment);
}

static bool run_bootstrap(JNIEnv *environment, struct jrv_fault *fault)
{
    jclass class = (*environment)->FindClass(environment, "jruvoy/bridge/Bootstrap");
    jmethodID method =
        class ? (*environment)->GetStaticMethodID(environment, class, "run", "()V") : NULL;
    jthrowable thrown;

    if (method)
        (*environment)->CallStaticVoidMethod(environment, class, method);
    thrown = (*environment)->ExceptionOccurred(environment);
    if (!thrown)
        return true;
    (*environment)->ExceptionClear(environment);
    describe(environment, thrown, fault);
    return false;
}

/* Weak, so that a test can put another one in its place. */
__attribute__((weak)) bool jrv_jvm_run(const struct jrv_jvm_plan *plan, struct jrv_fault *fault)
{
    JavaVM *vm = NULL;
    JNIEnv *environment = create(plan, &vm, fault);
    bool good;

    if (!environment)
        return false;
    good = run_bootstrap(environment, fault);
    /* Waits for Java's non-daemon threads, runs its shutdown hooks. */
    (*vm)->DestroyJavaVM(vm);
    return good;
}
