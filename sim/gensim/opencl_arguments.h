/* Follows what OpenCL programs give their kernels, so that --check=memory reports a launch with memory that the program
 * has freed: Intel's driver itself may crash there, or wait forever, before any kernel runs. */
#ifndef CMKIT_SIM_GENSIM_OPENCL_ARGUMENTS_H
#define CMKIT_SIM_GENSIM_OPENCL_ARGUMENTS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

/* Starts following. Before that, and without it, the calls only go on to the loader. */
void opencl_arguments_follow(void);

/* The program has set an argument to an address; NULL: to none. */
void opencl_arguments_pointer(cl_kernel kernel, cl_uint index, const void *pointer);

#endif
