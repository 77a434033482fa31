/* Declares the measurements of clpeak at a small size, with every result checked against the host's arithmetic. */
#ifndef CMKIT_TEST_CLPEAK_PEAK_H
#define CMKIT_TEST_CLPEAK_PEAK_H

#include "../opencl/open_cl.h"

enum { LOCAL_SIZE = 64, GLOBAL_SIZE = 512 };

/* Multiply-adds on every type that the device has, in vectors of 1 to 16. */
void check_compute(const struct open_cl *c, cl_program program);

/* Reads of a whole buffer, work items of a group beside each other or the whole range. */
void check_bandwidth(const struct open_cl *c, cl_program program);

/* Buffers to and from the host: copied with and without waiting, and mapped. */
void check_transfer(const struct open_cl *c);

/* Launches in a row: each one counts, and its times are in order. */
void check_latency(const struct open_cl *c, cl_program program);

/* Runs the kernel on GLOBAL_SIZE work items in groups of LOCAL_SIZE, reads `size` bytes of the buffer `out`. */
void run_kernel(const struct open_cl *c, cl_kernel kernel, cl_mem out, size_t size, void *bytes);

#endif
