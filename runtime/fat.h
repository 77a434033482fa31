/* Reads fat binaries: archives with the zebins of several GPUs, as cmc and ocloc write them. */
#ifndef CMKIT_RUNTIME_FAT_H
#define CMKIT_RUNTIME_FAT_H

#include "runtime/cmrt.h"

/* Is this the start of a fat binary? */
int fat_recognise(const void *bytes, size_t size);

/* Finds the zebin number `index`, counted from 0. CMRT_NO_KERNEL: there are not so many; CMRT_BAD_FILE with a message:
 * the archive, which is untrusted, is damaged. *zebin points into a copy that the caller frees: an ELF file must be
 * aligned, which the archive does not promise. */
enum cmrt_status fat_zebin(const void *bytes, size_t size, size_t index, void **zebin, size_t *zebin_size);

/* Copies the first zebin that fits the GPU that ocloc calls `platform`, or the first of all if it is NULL.
 * CMRT_WRONG_PLATFORM, with a message that names those that there are, if none fits. */
enum cmrt_status fat_select(const void *bytes, size_t size, const char *platform, void **zebin, size_t *zebin_size);

#endif
