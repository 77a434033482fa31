/* Computes in scalar C what the kernel of functions.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i32 clamp_to(i32 x, int low, i16 bound)
{
    if (low)
        return x < bound ? bound : x;
    return x > bound ? bound : x;
}

static void functions(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i32, w, 16, thread * 128 + 64);
    i32 history[16] = {0}, square[16], rest[8], last[8], calls = 0;

    v[0] = clamp_to(v[0] >> 16, v[1] > 0, (i16)v[2]);
    v[1] = (i32)((float)(v[1] & 0xffff) * 0.5f + 3.0f);
    EACH(k, 8) v[8 + k] = (i32)((u32)v[k] + (u32)(i16)w[k] - (u32)(i16)w[8 + k]);
    i32 by = w[3];
    EACH(i, 3)
    {
        i32 shifted[8];
        EACH(k, 8) shifted[k] = (i32)((u32)v[i + k] << (by & 7));
        EACH(k, 8) v[2 * k] = shifted[k];
        by = (i32)((u32)by + 3);
        calls++;
    }
    memcpy(square, w, sizeof square);
    EACH(k, 4) square[4 + k] = w[4 + k];
    EACH(k, 4) square[12 + k] = (i32)((u32)w[4 + k] * (u32)by);
    i16 first = (i16)w[0];
    EACH(i, 3)
    {
        i32 x = v[i] & 0x3fff;
        history[calls++ & 15] = x;
        history[calls++ & 15] = 2 * x;
        v[i + 1] ^= clamp_to(2 * x, 0, 9000);
    }
    i32 a[8], counts[4] = {1, 1, 1, 1}, n = 7 + (w[0] & 1);
    EACH(k, 8) a[k] = w[8 + k];
    EACH(k, n) if (k < n) a[k] = w[8 + n - 1 - k];
    EACH(i, 5) counts[w[i] & 3] += i;
    memcpy(last, history, sizeof last);
    last[7] = counts[0] + counts[1] + counts[2] + counts[3] + first + (i16)w[1] + (u8)(w[2] + 2) + calls;
    EACH(i, 4) last[3 + i] = (i32)((u32)last[3 + i] + (u32)a[2 * i] - (u32)a[2 * i + 1]);
    EACH(r, 4) EACH(c, 2) rest[2 * r + c] = square[4 * r + 1 + c];
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, rest);
    OUT(thread * 128 + 96, last);
}

REFERENCE(functions)
