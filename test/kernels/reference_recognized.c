/* References of the kernels whose simple code LLVM makes functions of: what the functions mean, not how the kernels say
 * it. */
#include "elements.h"
#include "reference.h"

#include <stddef.h>

static int64_t clamp(int64_t x, int64_t least, int64_t greatest)
{
    return x < least ? least : x > greatest ? greatest : x;
}

static uint64_t reversed(uint64_t x, int bits)
{
    uint64_t result = 0;
    EACH(k, bits) result |= (x >> k & 1) << (bits - 1 - k);
    return result;
}

/* Wraps as the hardware does where the number has no opposite. */
static int64_t magnitude(int64_t x)
{
    return x < 0 ? (int64_t)(0 - (uint64_t)x) : x;
}

static void saturated_by_choice(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    IN(i16, c, 32, 128);
    IN(i16, d, 32, 192);
    u32 dwords[2][16];
    i16 words[2][32];
    i32 wide[2][16];
    EACH(k, 16)
    {
        dwords[0][k] = a[k] > b[k] ? a[k] - b[k] : 0;
        dwords[1][k] = (uint64_t)a[k] + b[k] > UINT32_MAX ? UINT32_MAX : a[k] + b[k];
        wide[0][k] = (i32)clamp((int64_t)(i32)a[k] + (i32)b[k], INT32_MIN, INT32_MAX);
        wide[1][k] = (i32)clamp((int64_t)(i32)a[k] - (i32)b[k], INT32_MIN, INT32_MAX);
    }
    EACH(k, 32)
    {
        words[0][k] = (i16)clamp(c[k] + d[k], INT16_MIN, INT16_MAX);
        words[1][k] = (i16)clamp(c[k] - d[k], INT16_MIN, INT16_MAX);
    }
    OUT(0, dwords);
    OUT(128, words);
    OUT(256, wide);
}

static void bits_by_hand(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u16, b, 32, 64);
    IN(uint64_t, c, 8, 128);
    IN(u8, l, 64, 192);
    u16 power[32], words[32];
    uint64_t quads[2][8];
    u32 dwords[16];
    EACH(k, 32)
    {
        power[k] = __builtin_popcount(b[k] & 0x11) == 1;
        words[k] = (u16)reversed(b[k], 16);
    }
    EACH(k, 16) dwords[k] = (u32)reversed(a[k], 32);
    EACH(k, 8)
    {
        quads[0][k] = __builtin_popcountll(c[k] & (c[k] >> 20 | 1ull << 40) & 0x300000000ff) == 1;
        quads[1][k] = reversed(c[k], 64);
    }
    EACH(k, 16) a[k] = __builtin_bswap32(a[k]);
    EACH(k, 32) b[k] = __builtin_bswap16(b[k]);
    EACH(k, 8) c[k] = __builtin_bswap64(c[k]);
    EACH(k, 64) l[k] = (u8)reversed(l[k], 8);
    OUT(0, a);
    OUT(64, b);
    OUT(128, c);
    OUT(192, quads[0]);
    OUT(256, power);
    OUT(320, words);
    OUT(384, dwords);
    OUT(448, quads[1]);
    OUT(512, l);
}

static void signs_of_zeros(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int8_t, a, 32, 0);
    float zeros[32];
    EACH(k, 32) zeros[k] = a[k] < 0 ? -0.0f : 0.0f;
    OUT(0, zeros);
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

static void clang_builtins(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    u32 r[16][8] = {0};
    EACH(k, 16)
    {
        int ones = 0;
        EACH(i, 32) ones += v[k] >> i & 1;
        r[k][0] = (u32)ones;
        r[k][1] = v[k] << 24 | (v[k] << 8 & 0xff0000) | (v[k] >> 8 & 0xff00) | v[k] >> 24;
        r[k][2] = v[k] << 5 | v[k] >> 27;
        r[k][3] = v[k] + v[k] < v[k]; /* wraps */
        r[k][4] = v[k] > 7 ? 5 : 6;
        r[k][5] = (v[k] + 63) / 64 * 64;
        r[k][6] = v[k] % 16 == 0;
        r[k][7] = v[(k * 3 + 8) / 4 * 4 % 16];
    }
    OUT(0, r);
}

const struct reference recognized_table[] = {ROW(saturated_by_choice), ROW(bits_by_hand),    ROW(magnitudes),
                                             ROW(saturated_quadwords), ROW(scalars_by_hand), ROW(signs_of_zeros),
                                             ROW(clang_builtins),      {NULL, NULL}};
