/* Declares how kernels of test/kernels are launched, and what they must write: shared by kernel_test.c and
 * test/run_time/kernel_test_cl.c.
 *
 * KERNEL.cm describes the launch of each of its kernels in lines of the form
 *   // RUN-KERNEL: NAME groups=4[x1x1] local=2[x1x1] in=1024 out=512 [arguments=buffer] [tolerance=1e-6]
 *                 [image=W[xH[xD]]:FORMAT] [sampler=nearest|linear,clamp|border|repeat|mirror,pixels|normalized]
 * [buffers=N] in and out are the sizes in bytes of the two arguments. An image is the third argument: it holds the
 * first bytes of `in`; its contents after the launch follow `out` in the result, also in the reference's. A sampler is
 * the fourth. buffers=N: the next arguments are N buffers as large as `in`; each byte of buffer k is the byte of `in`
 * plus k, from k = 1 on; their contents after the launch follow `out` and the image in the result. Later arguments by
 * value take the next bytes of `in`. With tolerance=T the results are floats and may differ by T times the larger of 1
 * and their magnitude; NaN equals NaN. Inputs are bytes of a seeded generator. Each kernel is launched with several
 * inputs on the same buffers, so that results of an earlier launch do not pass. */
#ifndef CMKIT_TEST_RUN_KERNEL_PLAN_H
#define CMKIT_TEST_RUN_KERNEL_PLAN_H

#include "runtime/cmrt.h"
#include "test/kernels/reference.h"

#include <stdbool.h>

enum { INPUTS = 3, MAXIMUM_BYTES = 1 << 20, MAXIMUM_THREADS = 4096, MAXIMUM_BUFFERS = 16 };

struct plan {
    char kernel[64];
    uint32_t groups[3], local[3];
    unsigned in_bytes, out_bytes;
    unsigned image_bytes; /* 0: no image */
    struct cmrt_image_shape shape;
    enum cmrt_format format;
    bool has_sampler, linear, normalized;
    enum cmrt_sampler_address address;
    unsigned buffers; /* more than in and out */
    double tolerance; /* 0: every bit counts */
};

/* Parses a RUN-KERNEL line after its mark; false if it is malformed. */
int plan_parse(const char *text, struct plan *plan);

/* Runs `run` for each RUN-KERNEL line of a kernel's text; false, with a line on standard output, where one cannot be
 * understood. */
bool plans_run(const char *text, const char *path, void (*run)(void *context, const struct plan *plan), void *context);

/* Returns the size of all that a launch writes (buffers, then the image), and the offset of additional buffer
 * `number` in them. */
unsigned result_bytes(const struct plan *plan);
unsigned buffer_offset(const struct plan *plan, unsigned number);

/* Fills `in_bytes` of input of that seed, and the result before the launch. */
void plan_inputs(const struct plan *plan, unsigned seed, unsigned char *input, unsigned char *result);

/* Makes of the result before the launch the one that the reference gives. False: the kernel has no reference. */
bool plan_reference(const struct plan *plan, const unsigned char *input, unsigned char *result);

/* False, with a line about the first difference on standard output, unless the results are equal, or as close as
 * `tolerance` allows. */
bool plan_compare(const struct plan *plan, unsigned seed, const unsigned char *got, const unsigned char *want);

bool plan_has_reference(const struct plan *plan);

#endif
