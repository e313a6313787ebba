/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of one run, which the launcher makes and the end of the process removes. */
#ifndef JRV_RUN_FOLDER_H
#define JRV_RUN_FOLDER_H

/* From now on `path` (absolute, copied; may be NULL) is to be removed. Main, before any other
 * thread of ours. */
void jrv_run_folder_set(const char *path);

/* Removes the files that a launcher puts there, by name, then the folder. Whatever else is in it
 * stays, and so does the folder then. Any thread; may be called again. */
void jrv_run_folder_remove(void);

#endif
