/* Keeps the sizes of shared local memory that programs give to arguments of kernels, from the functions of Level Zero
 * and OpenCL. */
#ifndef CMKIT_SIM_CHECK_LOCALS_H
#define CMKIT_SIM_CHECK_LOCALS_H

#include <stddef.h>
#include <stdint.h>

/* Says that an argument of a kernel with this name gets so many bytes. */
void check_locals_set(const char *kernel, uint32_t index, size_t bytes);

/* Says that some argument gets bytes of which the kernel is not known: from now on none is. */
void check_locals_lose(void);

/* Returns the most bytes that the argument has got; 0: not known. */
size_t check_locals_most(const char *kernel, uint32_t index);

#endif
