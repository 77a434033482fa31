/* Expands names of files that a process writes. */
#ifndef CMKIT_SIM_PATH_H
#define CMKIT_SIM_PATH_H

#include <stdlib.h>

/* Returns `path` with every %p replaced by the process id; the caller frees it. NULL: out of memory. */
char *sim_expand_path(const char *path);

#endif
