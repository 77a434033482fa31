/* Writes result files, all or none: each goes to a temporary file in its folder, and all are renamed when they are
 * complete. */
#ifndef CMKIT_CMRUN_OUTPUT_H
#define CMKIT_CMRUN_OUTPUT_H

#include <stddef.h>

struct output_set;

struct output_set *outputs_new(void); /* NULL: out of memory */

/* Adds a file. Devices and pipes (/dev/stdout) are written at once, because a rename cannot replace them. Returns 0, or
 * -1 with the reason in `why`, path included. */
int outputs_add(struct output_set *set, const char *path, const void *bytes, size_t size, char *why, size_t why_size);

/* Renames all files. Returns 0, or -1 with the reason. */
int outputs_commit(struct output_set *set, char *why, size_t why_size);

/* Removes the files that were not committed. */
void outputs_free(struct output_set *set);

#endif
