/* Reading a zebin: which GPU it is for, and what its kernels and their arguments are. No Level Zero here. */
#ifndef CMKIT_RUNTIME_ZEBIN_H
#define CMKIT_RUNTIME_ZEBIN_H

#include "runtime/cmrt.h"

struct zebin {
    const char *product; /* ocloc's name of the GPU or of the first of its core family; NULL if the file does not say */
    unsigned product_number, core; /* 0 where the file does not say */
    size_t kernel_count;
    struct cmrt_kernel_info *kernels; /* each with its arguments */
};

/* Is this the start of a zebin (as opposed to a host library or anything else)? */
int zebin_recognise(const void *bytes, size_t size);

/* Parses `bytes`; nothing in them is trusted. CMRT_BAD_FILE with a message if they are no zebin. On success the caller
 * calls zebin_free; the result does not point into `bytes`. */
enum cmrt_status zebin_read(const void *bytes, size_t size, struct zebin *out);
void zebin_free(struct zebin *zebin);

/* Can the GPU that ocloc calls `product` run this file? Yes, too, if either is unknown here: then the driver decides.
 */
int zebin_fits(const struct zebin *zebin, const char *product);

/* The kernels that the text of a `.ze_info` section describes, appended to `out`. */
enum cmrt_status ze_info_read(const char *text, size_t size, struct zebin *out);

#endif
