/* Finds recorded launches in a folder, for `gensim replay`. */
#ifndef CMKIT_SIM_GENSIM_TRACES_H
#define CMKIT_SIM_GENSIM_TRACES_H

#include "sim/trace/file.h"

/* Finds launch `number` of the folder (NULL: its last one), and reads its head. 1, or 0 with a sentence in `problem`.
 */
int traces_find(const char *folder, const char *number, char path[TRACE_PATH], struct trace_head *head, char *problem,
                size_t size);

/* Prints a line for each launch of the folder. 1, or 0 with a sentence in `problem`. */
int traces_list(const char *folder, char *problem, size_t size);

/* Prepares a folder for new traces: makes it, or checks that it has none. 1, or 0 with a sentence in `problem`. */
int traces_prepare(const char *folder, char *problem, size_t size);

#endif
