/* Computes in scalar C what the kernel of conversions.cm must write. */
#include <stdlib.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i32 clamp(i32 x, i32 low, i32 high)
{
    return x < low ? low : x > high ? high : x;
}

static void conversions(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, raw, 16, 0);
    IN(i32, other, 16, 64);
    i32 r[7][16];
    EACH(k, 16)
    {
        u8 a = (u8)raw[k], b = (u8)other[k];
        i16 s = (i16)raw[k];
        u32 u = (u32)other[k];
        r[0][k] = a + b;
        r[1][k] = a - b;
        r[2][k] = (u32)(i32)s < u;
        r[3][k] = (i32)((u32)(s >> 3) + (u >> 28));
        r[4][k] = clamp(a + b, 0, 255) * 1000 + clamp(a - b, 0, 255);
        r[5][k] = clamp(raw[k], -32768, 32767) - clamp(s + b, -32768, 32767);
        i32 least = s < a ? s : a, x = raw[k] >> 4, y = other[k] >> 4;
        r[6][k] = least + (x > y ? x : y) + (s == -32768 ? s : abs(s));
    }
    memcpy(out, r, sizeof r);
}

REFERENCE(conversions)
