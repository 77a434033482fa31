/* Reads a zebin: its GPU, its kernels and their arguments. It does not use Level Zero. */
#ifndef CMKIT_RUNTIME_ZEBIN_H
#define CMKIT_RUNTIME_ZEBIN_H

#include "runtime/cmrt.h"

struct zebin {
    const char *product; /* ocloc's name of the GPU, or of the first GPU of its core family; NULL: not in the file */
    unsigned product_number, core; /* 0: not in the file */
    size_t kernel_count;
    struct cmrt_kernel_info *kernels; /* each with its name and arguments, of which zebin_free() frees the texts */
};

/* Is this the start of a zebin (as opposed to a host library or anything else)? */
int zebin_recognise(const void *bytes, size_t size);

/* Parses `bytes`, which are untrusted. CMRT_BAD_FILE with a message if they are not a zebin. On success the caller
 * calls zebin_free; the result does not point into `bytes`. */
enum cmrt_status zebin_read(const void *bytes, size_t size, struct zebin *out);
void zebin_free(struct zebin *zebin);

/* Stores a copy of the first `bytes` characters of a text in place of what *to held. CMRT_NO_MEMORY: *to is NULL. */
enum cmrt_status zebin_set_text(const char **to, const char *from, size_t bytes);

/* Can the GPU that ocloc calls `product` run this file? Also true if either is unknown here: the driver decides then.
 */
int zebin_fits(const struct zebin *zebin, const char *product);

/* Parses the text of a `.ze_info` section and appends its kernels to `out`. */
enum cmrt_status ze_info_read(const char *text, size_t size, struct zebin *out);

#endif
