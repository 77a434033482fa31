/* Shares functions among references of several kernels. */
#ifndef CMKIT_TEST_KERNELS_ARITHMETIC_H
#define CMKIT_TEST_KERNELS_ARITHMETIC_H

#include "test/kernels/elements.h"

static inline int64_t clamp(int64_t x, int64_t least, int64_t greatest)
{
    return x < least ? least : x > greatest ? greatest : x;
}

static inline u32 bit_field(u32 width, u32 offset, u32 x, int is_signed)
{
    width &= 31;
    offset &= 31;
    if (width == 0)
        return 0;
    if (width + offset >= 32)
        return is_signed ? (u32)((i32)x >> offset) : x >> offset;
    u32 top = x << (32 - width - offset);
    return is_signed ? (u32)((i32)top >> (32 - width)) : top >> (32 - width);
}

static inline u32 reversed(u32 x)
{
    u32 y = 0;
    EACH(bit, 32) y |= (x >> bit & 1) << (31 - bit);
    return y;
}

static inline int64_t byte_dot(u32 a, u32 b, int is_signed)
{
    int64_t sum = 0;
    EACH(byte, 4)
    {
        u8 x = (u8)(a >> 8 * byte), y = (u8)(b >> 8 * byte);
        sum += is_signed ? (int8_t)x * (int8_t)y : x * y;
    }
    return sum;
}

static inline float to_half_and_back(float x, u16 *bits)
{
    _Float16 h = (_Float16)x;
    memcpy(bits, &h, sizeof h);
    return (float)h;
}

static inline double unit_clamped(double x)
{
    return x > 1 ? 1 : x > 0 ? x : 0;
}

/* The first `count` of the products of p[0] ... and q[0] ... */
static inline double dot(const float *p, int apart_p, const float *q, int apart_q, int count)
{
    double sum = 0;
    EACH(n, count) sum += (double)p[n * apart_p] * q[n * apart_q];
    return sum;
}

static inline i32 opposite_of(i32 x)
{
    return (i32)(0 - (u32)x);
}

#endif
