/* Shares functions among references of several kernels. */
#ifndef CMKIT_TEST_KERNELS_RECOGNIZED_H
#define CMKIT_TEST_KERNELS_RECOGNIZED_H

#include "test/kernels/elements.h"

static inline int64_t clamp(int64_t x, int64_t least, int64_t greatest)
{
    return x < least ? least : x > greatest ? greatest : x;
}

#endif
