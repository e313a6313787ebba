/* SPDX-License-Identifier: Apache-2.0 */
/* See run_folder.h. Never recursive: a wrong setting must not cost anyone their files. */
#include "run_folder.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static char *folder_path;

void jrv_run_folder_set(const char *path)
{
    folder_path = path ? strdup(path) : NULL;
}

void jrv_run_folder_remove(void)
{
    static const char *const names[] = {"envoy.yaml", "envoy.json", "admin.sock", "launch"};
    int folder =
        folder_path ? open(folder_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;

    if (folder < 0)
        return;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unlinkat(folder, names[i], 0);
    close(folder);
    rmdir(folder_path);
}
