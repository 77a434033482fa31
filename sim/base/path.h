/* Names of files that a process writes. */
#ifndef CMKIT_SIM_PATH_H
#define CMKIT_SIM_PATH_H

#include <stdlib.h>

/* `path` with every %p replaced by the process id; to be freed. NULL without memory. */
char *sim_expand_path(const char *path);

#endif
