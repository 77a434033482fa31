/* What the kernels of this folder must compute, written as scalar C from the meaning of the language. */
#ifndef CMKIT_TEST_KERNELS_REFERENCE_H
#define CMKIT_TEST_KERNELS_REFERENCE_H

/* Does what one thread of a kernel does: `in` and `out` are the whole buffers, `thread` the linear global id. */
typedef void reference_function(const void *in, void *out, unsigned thread);

struct reference {
    const char *kernel;
    reference_function *run;
};

/* One row per kernel; the last has a NULL name. A table for each file of references: add new ones in kernel_test.c too.
 */
extern const struct reference reference_table[];  /* references, regions, control flow */
extern const struct reference arithmetic_table[]; /* intrinsics that compute */
extern const struct reference memory_table[];     /* surfaces, shared memory, atomics */
extern const struct reference flat_table[];       /* flat memory, images, what kernels print and pass */
extern const struct reference image_table[];      /* texels: typed accesses, the sampler */
extern const struct reference thread_table[]; /* what a thread and its part are; messages and instructions spelt out */
extern const struct reference calls_table[];  /* functions that are called */
extern const struct reference registers_table[];  /* kernels near and over the number of registers */
extern const struct reference traps_table[];      /* what a reader of C++ takes for something else */
extern const struct reference recognized_table[]; /* simple code that LLVM knows by another name */
extern const struct reference lanes_table[];      /* lanes chosen from masks, and far from where a vector begins */

#endif
