/* Computes in scalar C what the kernel of shifts.cm must write. */
#include <math.h>
#include <stdlib.h>
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static u32 lowest_bit(u32 x)
{
    return x ? (u32)__builtin_ctz(x) : 0xffffffff;
}

static u32 leading_zeros(u32 x)
{
    return x ? (u32)__builtin_clz(x) : 32;
}

static u32 highest_bit(i32 x)
{
    u32 y = x < 0 ? ~(u32)x : (u32)x;
    return y ? (u32)__builtin_clz(y) : 0xffffffff;
}

static void shifts(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    IN(i16, w, 32, 0);
    IN(u16, u, 32, 64);
    u8 bytes[768] = {0}, *row = bytes;
    EACH(k, 32) put16(row + 2 * k, (u16)(w[k] >> (u[k] & 7)));
    row += 64;
    EACH(k, 32)
    {
        row[2 * k] = (u8)clamp(w[k] >> 5, 0, 255);
        row[2 * k + 1] = (u8)clamp((i32)u[k] << (u[k] & 7), 0, 255);
    }
    row += 64;
    EACH(k, 32) put16(row + 2 * k, (u16)clamp((u32)w[k] >> 3, 0, 65535));
    row += 64;
    EACH(k, 32) put16(row + 2 * k, (u16)clamp(u[k] >> 2, -32768, 32767));
    row += 64;
    EACH(k, 16) put32(row + 4 * k, a[k] < 0 ? 0 - (u32)a[k] : (u32)a[k]);
    row += 64;
    EACH(k, 32) put16(row + 2 * k, (u16)(w[k] == -32768 ? -32768 : abs(w[k])));
    row += 64;
    EACH(k, 32) put16(row + 2 * k, (u16)clamp(w[k] < u[k] ? w[k] : u[k], 0, 65535));
    row += 64;
    EACH(k, 32)
    {
        row[k] = (u8)clamp(w[k] > u[k] ? w[k] : u[k], -128, 127);
        row[32 + k] = (u8)(w[k] + u[k]);
    }
    row += 64;
    EACH(k, 16) put32(row + 4 * k, (u32)clamp((int64_t)a[k] + b[k], INT32_MIN, INT32_MAX));
    row += 64;
    EACH(k, 16) put32(row + 4 * k, (u32)clamp((int64_t)w[2 * k] * a[k], INT32_MIN, INT32_MAX));
    row += 64;
    u32 ones = (u32)__builtin_popcount((u32)a[4]), r[12] = {((u32)u[3] + 9 + 1) >> 1,
                                                            (u32)(a[2] >> 4),
                                                            (u32)(a[3] > 5 ? a[3] : 5),
                                                            ones,
                                                            lowest_bit((u32)a[5] & ~0xffu),
                                                            highest_bit(b[6]),
                                                            leading_zeros((u32)(b[7] >> 1)),
                                                            reversed((u32)b[8]),
                                                            bit_field(5, 7, (u32)a[9], 1),
                                                            (u32)(a[10] % 13),
                                                            ones - 16};
    r[11] = (uint64_t)(ones - 12) + 0xfffffffcu > 0xffffffffu;
    EACH(k, 12) put32(row + 4 * k, r[k]);
    row += 64;
    EACH(k, 16)
    put32(row + 4 * k,
          highest_bit(b[k]) + lowest_bit((u32)a[k]) + leading_zeros((u32)a[k]) + (u32)__builtin_popcount((u32)b[k]));
    OUT(0, bytes);
}

REFERENCE(shifts)
