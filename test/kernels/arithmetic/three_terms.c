/* Computes in scalar C what the kernel of three_terms.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void order_longs(const int64_t *from, const int64_t *r, void *out)
{
    u16 order[16];
    int64_t bits[16];
    EACH(k, 16)
    {
        int64_t q = k < 4 ? r[k] : k < 8 ? from[k] >> 40 : from[k];
        order[k] = (u16)((q < r[k] ? 1 : 0) | (q >= r[k] ? 2 : 0) | ((uint64_t)q <= (uint64_t)r[k] ? 4 : 0) |
                         ((uint64_t)q > (uint64_t)r[k] ? 8 : 0) | (q < 0 ? 16 : 0) | (q >= 0 ? 32 : 0) |
                         (r[k] > -1 ? 64 : 0) | (q == r[k] ? 128 : 0) | (r[k] <= -1 ? 256 : 0));
        bits[k] = (q & r[k]) ^ (q | 0x1234567812345678ll);
    }
    OUT(640, order);
    OUT(672, bits);
}

static void turn(const u32 *a, const u32 *b, void *out)
{
    u32 turned[64], last[8];
    EACH(k, 64)
    {
        int column = 7 - k / 8, row = k % 8;
        turned[k] = row < 4 ? a[8 * row + column] : b[8 * (row - 4) + column];
    }
    EACH(k, 8)
    last[k] = turned[56 + k] * 3 + turned[k];
    OUT(928, turned);
    OUT(1184, last);
}

static void three_terms(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 32, 0);
    IN(u32, b, 32, 128);
    IN(u32, c, 32, 256);
    IN(i16, w, 32, 384);
    IN(i16, x, 32, 448);
    IN(int64_t, q, 16, 512);
    IN(int64_t, r, 16, 640);
    static const int factors[4] = {3, -17, 1000, 12};
    u32 differences[32], chosen[32], cleared[32], wide[32], rows[32];
    u16 words[32], others[32];
    EACH(k, 32)
    {
        differences[k] = w[k] > x[k] ? a[k] + b[k] + 77 : a[k] - b[k] - c[k];
        chosen[k] = (a[k] & b[k]) | (~a[k] & c[k]);
        cleared[k] = ~(a[k] ^ b[k]) & ~(c[k] | 0xffff0f0fu);
        words[k] = (u16)(w[k] - x[k] + 1000);
        others[k] = (u16)((u16)(w[k] ^ x[k]) | 0x55);
        wide[k] = a[k] - b[k] - c[k] - 20000 - (u16)w[k];
        rows[k] = a[k] * (u32)factors[k / 8];
    }
    OUT(0, differences);
    OUT(128, chosen);
    OUT(256, cleared);
    OUT(384, words);
    OUT(448, others);
    OUT(512, wide);
    order_longs(q, r, out);
    OUT(800, rows);
    turn(a, b, out);
}

REFERENCE(three_terms)

static void shared_complement(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    IN(u32, c, 16, 128);
    IN(u32, d, 16, 192);
    u32 r[48];
    EACH(k, 16)
    {
        u32 v = ~(a[k] & b[k]), w = ~(c[k] & d[k]);
        r[k] = v | c[k];
        r[16 + k] = d[0] & 1 ? v ^ d[k] : 0;
        r[32 + k] = (w | a[k]) + (w ^ b[k]);
    }
    OUT(0, r);
}

REFERENCE(shared_complement)

static void spread_terms(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    IN(i16, w, 16, 128);
    IN(int8_t, c, 16, 160);
    IN(u32, indices, 16, 192);
    u32 r[8][16], at[16];
    EACH(k, 16)
    at[k] = indices[k] & 15;
    EACH(k, 16)
    {
        r[0][k] = a[k] - (u8)c[at[0]] - b[k];
        r[1][k] = (u32)(i32)c[at[1]] - a[k] + b[k];
        r[2][k] = (u16)w[at[2]] + a[k] - at[k];
        r[3][k] = (u32)(i32)w[at[3]] - at[k] + b[k];
        r[4][k] = a[at[4]] + at[k] - a[k];
        r[5][k] = (a[k] & (u8)c[at[5]]) | b[k];
        r[6][k] = (a[k] ^ b[k]) & (u32)(i32)w[at[6]];
        r[7][k] = (a[k] | b[k]) ^ b[at[7]];
    }
    OUT(0, r);
}

REFERENCE(spread_terms)
