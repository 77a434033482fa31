/* Writes kernels to files, for `gensim --save-kernels`. */
#ifndef CMKIT_SIM_SAVE_H
#define CMKIT_SIM_SAVE_H

#include <stddef.h>
#include <stdint.h>
#include "tables/platforms.h"

/* Sets the folder for kernels; the pointer is kept, not copied. Without this call, or with NULL, nothing is written. */
void sim_save_start(const char *folder);

/* Writes a kernel's code to FOLDER/DEVICE-HASH.gen unless the file exists; several processes may do so at once. An
 * error is reported on stderr and otherwise ignored, because the program does not depend on it. Any thread may call it.
 */
void sim_save_kernel(const struct platform *platform, uint64_t hash, const uint8_t *code, size_t bytes);

#endif
