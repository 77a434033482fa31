/* Computes in scalar C what the kernel of native_pointers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void native_pointers(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, from, 32, 0);
    IN(i16, words, 8, 0);
    u32 to[40] = {0}, sum = 0;
    EACH(i, 20) sum += (u32)from[i] * (u32)(i + 1);
    EACH(i, 20) to[i] = (u32)from[19 - i];
    to[20] = sum;
    to[21] = (u32)(i32)words[3];
    to[22] = (u32)(u8)words[5] << 8;
    uint64_t x = (uint64_t)from[0] << 32 | (u32)from[1], y = x * 12345 + (x >> 7) - (x >> 40);
    to[23] = (u32)(y >> 32);
    to[24] = (u32)y;
    to[25] = x < y;
    to[26] = (int64_t)x < (int64_t)y;
    to[27] = (u32)(from[2] / (from[3] | 1));
    to[28] = (u32)from[2] % (u32)(from[3] | 1);
    to[29] = (u32)((int64_t)x >> 35);
    to[30] = x >= (y & x);
    to[32] = (u32)(~x ^ y);
    to[33] = (u32)((~x ^ y) >> 32);
    EACH(i, 6) to[34 + i] = to[i];
    uint64_t wide;
    memcpy(&wide, &from[14], 8);
    to[30] += (u32)(wide >> 9);
    to[31] = (u32)((from[4] >> 16) / ((from[5] >> 24) | 1));
    OUT(0, to);
}

REFERENCE(native_pointers)
