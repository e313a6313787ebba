/* SPDX-License-Identifier: Apache-2.0 */
/* Where this module lies: everything else that is installed lies beside it. Any thread. */
#ifndef JRV_MODULE_H
#define JRV_MODULE_H

/* Absolute path of our own .so, as Envoy loaded it. Owned by the module; never NULL, empty when
 * unknown. */
const char *jrv_module_path(void);

/* The home folder: the one that holds the .so (or the file it links to) and `jars`. As above. */
const char *jrv_module_home(void);

#endif
