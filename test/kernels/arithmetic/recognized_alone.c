/* Computes in scalar C what the kernels of recognized_alone.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/recognized.h"
#include "test/kernels/reference.h"

/* Wraps as the hardware does where the number has no opposite. */
static int64_t magnitude(int64_t x)
{
    return x < 0 ? (int64_t)(0 - (uint64_t)x) : x;
}

static void magnitudes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int64_t, numbers, 16, 256);
    EACH(k, 16) numbers[k] = magnitude(numbers[k]);
    OUT(0, numbers);
}

static void saturated_quadwords(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(uint64_t, g, 8, 0);
    IN(uint64_t, h, 8, 64);
    uint64_t quads[4][8];
    EACH(k, 8)
    {
        int64_t i = (int64_t)g[k], j = (int64_t)h[k];
        quads[0][k] = g[k] > h[k] ? g[k] - h[k] : 0;
        quads[1][k] = g[k] > UINT64_MAX - h[k] ? UINT64_MAX : g[k] + h[k];
        quads[2][k] = (g[k] | h[k]) + !((g[k] | h[k]) & 1);
        quads[3][k] = (uint64_t)(i < j ? i : j) + g[k] + h[k]; /* of the three, two are all there is */
    }
    OUT(0, quads);
}

static void scalars_by_hand(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 4, 0);
    u32 r[16] = {0}, c = v[2] & 0xffff, d = v[3] & 0x1ffff;
    r[0] = v[0] > v[1] ? v[0] - v[1] : 0;
    r[1] = (uint64_t)v[0] + v[1] > UINT32_MAX ? UINT32_MAX : v[0] + v[1];
    r[2] = __builtin_bswap32(v[0]);
    r[3] = r[4] = (uint64_t)c * d > UINT32_MAX;
    r[5] = __builtin_popcount(v[0]) == 1;
    r[6] = (u32)clamp((int64_t)(i32)v[0] - (i32)v[1], INT32_MIN, INT32_MAX);
    OUT(0, r);
}

REFERENCE(magnitudes)
REFERENCE(scalars_by_hand)
REFERENCE(saturated_quadwords)
