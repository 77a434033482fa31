/* Computes in scalar C what the kernel of extended_wraps.cm must write. */
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void extended_wraps(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 32, thread * 256);
    IN(uint64_t, q, 16, thread * 256 + 128);
    int8_t bytes[2][32];
    u8 unsigned_bytes[2][32];
    i32 dwords[16];
    i16 words[16];
    EACH(i, 32)
    {
        bytes[0][i] = (int8_t)clamp((i32)(a[i] + a[i]), -128, 127);
        unsigned_bytes[0][i] = (u8)clamp((i32)(a[i] << (a[i] & 31)), 0, 255);
        bytes[1][i] = (int8_t)clamp((i16)(a[i] + a[i]), -128, 127);
        unsigned_bytes[1][i] = (u8)clamp((u16)(a[i] + a[i]), 0, 255);
    }
    EACH(i, 16)
    {
        dwords[i] = (i32)clamp((int64_t)(q[i] + q[i]), INT32_MIN, INT32_MAX);
        words[i] = (i16)clamp((int64_t)(q[i] << 60), INT16_MIN, INT16_MAX);
    }
    OUT(0, bytes[0]);
    OUT(32, unsigned_bytes[0]);
    OUT(64, bytes[1]);
    OUT(96, unsigned_bytes[1]);
    OUT(128, dwords);
    OUT(192, words);
}

REFERENCE(extended_wraps)
