/* Shares functions among references of several kernels. */
#ifndef CMKIT_TEST_KERNELS_REGISTERS_H
#define CMKIT_TEST_KERNELS_REGISTERS_H

#include "test/kernels/elements.h"

enum { PLACES = 32 };

#endif
