/* Result files, all or none: each is written beside its place and moved there when all are complete. */
#ifndef CMKIT_CMRUN_OUTPUT_H
#define CMKIT_CMRUN_OUTPUT_H

#include <stddef.h>

struct output_set;

struct output_set *outputs_new(void); /* NULL: out of memory */

/* Adds a file. Devices and pipes (/dev/stdout) are written at once, as nothing can be moved over them. Returns 0, or -1
 * with the reason in `why`, path included. */
int outputs_add(struct output_set *set, const char *path, const void *bytes, size_t size, char *why, size_t why_size);

/* Moves all files to their places. Returns 0, or -1 with the reason. */
int outputs_commit(struct output_set *set, char *why, size_t why_size);

/* Removes what was not committed. */
void outputs_free(struct output_set *set);

#endif
