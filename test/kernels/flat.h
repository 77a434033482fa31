/* Shares functions among references of several kernels. */
#ifndef CMKIT_TEST_KERNELS_FLAT_H
#define CMKIT_TEST_KERNELS_FLAT_H

#include <math.h>

#include "test/kernels/elements.h"

static inline double half_of(u16 bits)
{
    int exponent = bits >> 10 & 31;
    double size =
        exponent ? (1024 + (bits & 1023)) * __builtin_ldexp(1, exponent - 25) : (bits & 1023) * __builtin_ldexp(1, -24);
    return bits >> 15 ? -size : size;
}

static inline double brain_of(u16 bits)
{
    u32 wide = (u32)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* Bits of a number that fits; bf16: of what it is when rounded to eight binary digits, ties to even. */
static inline u16 half_bits(double x)
{
    int exponent;
    double size = frexp(fabs(x), &exponent);
    return (u16)((x < 0) << 15 | (size ? (exponent + 14) << 10 | ((int)ldexp(size, 11) & 1023) : 0));
}

#endif
