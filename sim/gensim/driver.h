/* Starts the program with the driver that the user chose: the installed one, or one whose packages lie in a folder. */
#ifndef CMKIT_SIM_GENSIM_DRIVER_H
#define CMKIT_SIM_GENSIM_DRIVER_H

#include <limits.h>
#include <stddef.h>

struct driver {
    char root[PATH_MAX]; /* the folder that stands for "/" in the driver's packages; empty: the installed driver */
};

/* Finds the driver that `name` stands for:
 *   installed   what this system has
 *   current     what this system has, if that is new enough (sim/gensim/driver.def); else the packages that
 *               tools/current/fetch.sh unpacked into $CMKIT_CURRENT/root, or ~/.cache/cmkit/current/root
 *   a path      a folder of unpacked packages; names without a '/' are not taken for one
 * Returns 1, or 0 with one sentence in `problem`: what is missing, and how to get it. */
int driver_find(const char *name, struct driver *driver, char *problem, size_t size);

/* Whether the driver is new enough to know the devices that need the current one; a folder is taken to be. */
int driver_is_current(const struct driver *driver);

/* Becomes the program `arguments[0]`, which is looked for as a shell does. With a folder, it runs under the folder's
 * own loader and C library, because drivers need those that they were built with; $LD_LIBRARY_PATH is searched after
 * the folder's libraries. OpenCL's loader finds the folder's driver, unless $OCL_ICD_VENDORS names a path. Returns
 * only if that fails, with one sentence in `problem`. */
void driver_run(const struct driver *driver, char **arguments, char *problem, size_t size);

#endif
