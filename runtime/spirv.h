/* Recognises SPIR-V and checks that it is whole: drivers end the process on SPIR-V that breaks off. */
#ifndef CMKIT_RUNTIME_SPIRV_H
#define CMKIT_RUNTIME_SPIRV_H

#include "runtime/cmrt.h"

/* Is this the start of SPIR-V? */
int spirv_recognise(const void *bytes, size_t size);

/* Is `bytes`, which are untrusted, one instruction after the other up to the end, made for the vector back end, and
 * with a kernel? (Drivers make something else of other SPIR-V when that back end is asked for.) CMRT_BAD_FILE with a
 * message otherwise. What the instructions say is for the driver to check. */
enum cmrt_status spirv_check(const void *bytes, size_t size);

#endif
