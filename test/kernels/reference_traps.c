/* References of traps.cm, where C++ would mislead, and of cxx17.cm, where it leads. */
#include "elements.h"
#include "reference.h"

#include <math.h>

static i32 clamp(int64_t x, int64_t least, int64_t greatest)
{
    return (i32)(x < least ? least : x > greatest ? greatest : x);
}

static void traps_values(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    i32 row[20][16] = {0};
    float unit[16];
    int any = 0;
    EACH(k, 16) any |= a[k] > b[k];
    EACH(k, 16)
    {
        i32 power = b[k] >> 28;
        float f = (float)(a[k] >> 24) * 0.015625f;
        u8 small = (u8)a[k], other = (u8)b[k];
        row[0][k] = a[k] > b[k] ? a[k] : b[k];
        row[1][k] = 1 + 16 + any * 256; /* ~0 and ~1 are both not zero */
        unit[k] = f < 0 ? 0 : f > 1 ? 1 : f;
        row[3][k] = (i32)(exp2f((float)power) * 256);
        row[4][k] = (power + 8) * 16;
        row[5][k] = clamp(small + other, 0, 255);
        row[6][k] = clamp((int64_t)a[k] + b[k], INT32_MIN, INT32_MAX);
        row[7][k] = (u32)a[k] > (u32)b[k] ? a[k] : b[k];
        row[8][k] = small + other;
        row[9][k] = (i32)((u32)a[k] * 3);
        row[11][k] = k < 4 ? a[12 + k] : k < 8 ? 5 : k < 12 ? a[k - 8] : k < 13 ? 6 : b[k - 13];
        row[12][k] = a[k ? k - 1 : 0];
        row[13][k] = a[k];
        row[14][k] = (a[k] >> 4) ^ (i32)((u32)a[k] >> 4);
        row[15][k] = (i16)a[k] >> 1;
        row[16][k] = clamp((i16)a[k] >> 4, 0, 255);
        row[17][k] = k >= 2 && k <= 11 && (k - 2) % 3 == 0 ? (a[k] & 0xffff) | 9 << 16 : a[k];
        row[18][k] = k < 2 ? 5 : k < 4 ? 7 : k < 8 ? a[k - 4] : 3;
        row[19][k] = k % 2 ? b[k / 2] : a[k];
    }
    EACH(k, 4) row[9][k] = (i32)((u32)a[k / 2 * 8 + k % 2 * 2] + 1);
    EACH(k, 3) row[10][k] = (a[2 * k] & 255) | (a[2 * k + 1] & 255) << 8;
    u8 *part = (u8 *)row[13] + 16 + (b[0] & 3) * 8; /* a row of 4 words */
    put16(part + 2, 7);
    put16(part + 6, 7);
    memcpy(row[2], unit, sizeof row[2]);
    OUT(0, row);
}

static void beyond_objects(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, all, 56, 0); /* three matrices of 16, and 8 others */
    all[16 + 15] = all[48];
    EACH(k, 4) all[16 + 12 + k] = all[48 + k];
    all[16 + 2] = all[16 + 3] = 5;
    OUT(0, all);
}

static void traps_memory(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, x, 128, 0);
    IN(u16, words, 256, 0);
    u32 *to = out;
    EACH(k, 8)
    {
        to[k] = x[4 * k];
        to[8 + k] = words[4 * k];
        to[16 + k] = x[k];
        to[24 + k] = x[4 * k];
        to[32 + k] = x[8 + k];
        to[48 + k] = k < 5 ? x[12 + k] : 5;
        to[56 + k] = 0;
        to[64 + k] = k < 4 ? x[112 + 4 * k] : 0;
        to[72 + k] = k < 4 ? x[124 + k] : 0;
        to[96 + k] = 7;
        to[104 + k] = 4 * (u32)k;
    }
    to[112] = words[3];
    to[96] += 8 * 7;
}

static const i32 table[16] = {1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, 10, 20, 30, 40};

static void cxx17_named(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    u32 result[16], last = v[0];
    EACH(k, 16) result[k] = v[k] * 3 * 8 + 3 + (u32)table[k];
    result[5] += 1000;
    u32 half[16];
    memcpy(half, v, sizeof half);
    for (int n = 16; n > 1; n /= 2) {
        u32 odd[8];
        EACH(k, n / 2) odd[k] = half[2 * k + 1];
        EACH(k, n / 2) half[k] += odd[k];
        last = half[0];
    }
    result[3] = last;
    result[7] = 16 + 2 * 44;
    result[8] = v[0] + v[1] + 7;
    OUT(thread * 64, result);
}

static void cxx17_other(const void *in, void *out, unsigned thread)
{
    IN(u16, v, 32, thread * 64);
    EACH(k, 32) v[k] = (u16)(k / 8 == 2 ? v[k] : v[k] ^ (u16)table[k / 8 * 5]);
    EACH(k, 4) v[24 + (v[0] & 1) + 2 * k] = (u16)(1 + (v[0] & 1));
    OUT(thread * 64, v);
}

/* The sum of n elements and the byte of them with the number n. */
static u32 folded(const u32 *v, int n)
{
    u32 sum = v[n / 4] >> (n % 4 * 8) & 0xff;
    EACH(k, n) sum += v[k];
    return sum;
}

static void deduced_references(const void *in, void *out, unsigned thread)
{
    IN(u32, m, 64, thread * 256);
    u32 t[64], v[16];
    EACH(k, 64) t[k] = m[k % 8 * 8 + k / 8];
    EACH(k, 16) v[k] = m[k] + 5;
    EACH(k, 8) m[16 + k] += 3;
    EACH(k, 16) t[k / 4 * 8 + 4 + k % 4] = m[(4 + k % 4) * 8 + 4 + k / 4];
    t[0] += folded(v, 16);
    t[9] += folded(m + 16, 8) + 100;
    t[18] = 88 + (t[0] & 1);
    t[27] = 164 + (m[0] & 1);
    t[45] = folded(v, 16) + 7 + 1 + 2;
    t[54] = 88;
    t[56] += 3;
    EACH(k, 64) t[56 + k % 8] += m[k];
    OUT(thread * 256, t);
}

/* Elements `step` apart, the first one included, times `factor`. */
static u32 summed(const u32 *v, int n, int step, u32 factor)
{
    u32 sum = 0;
    EACH(k, n) sum += v[k * step] * factor;
    return sum;
}

static void deduced_vectors(const void *in, void *out, unsigned thread)
{
    IN(u32, m, 64, thread * 256);
    u32 t[64] = {0}, v[16];
    EACH(k, 16) v[k] = m[32 + k];
    t[0] = summed(v, 16, 1, 3);
    t[1] = summed(v + 1, 8, 2, 3);
    t[2] = summed(m + 24, 8, 1, 3);
    EACH(k, 8) t[8] += m[k * 8] * (u32)(8 + k);
    EACH(k, 3) t[9] += m[(1 + 2 * k) * 8 + 1] * (u32)(4 + k);
    EACH(k, 2) t[10] += m[k * 4] * (u32)(4 + k);
    t[16] = v[15] + 5;
    t[17] = m[56 + 6] + 9;
    t[24] = 1000 + v[0];
    EACH(k, 8) m[16 + k] += 1;
    t[25] = 2000 + m[16];
    EACH(k, 4) m[20 + k] += 1;
    t[26] = 2000 + m[20];
    EACH(k, 16) v[k] += m[k] * 2;
    t[32] = summed(m, 16, 1, 1);
    EACH(k, 8) m[48 + k] += m[40 + k] * 3;
    t[33] = summed(m + 40, 8, 1, 1);
    memcpy(t + 40, m + 48, 32);
    memcpy(t + 48, m + 16, 32);
    memcpy(t + 56, v + 4, 32);
    OUT(thread * 256, t);
}

/* The image is behind `out`. */
static void traps_image(const void *in, void *out, unsigned thread)
{
    enum { WIDTH = 24, HEIGHT = 6, OUT_BYTES = 256 };
    (void)thread;
    const u8 *pixels = in;
    u8 *to = out, *image = to + OUT_BYTES;
    EACH(r, 4) EACH(c, 8)
    {
        to[r * 8 + c] = pixels[(r < 2 ? 0 : r - 2) * WIDTH + (c < 3 ? 0 : c - 3)];
        to[32 + r * 8 + c] = pixels[(r < 2 ? 4 + r : 5) * WIDTH + (c < 4 ? 20 + c : 23)];
    }
    EACH(k, 32) to[64 + k] = k < 16 ? pixels[496 + k] : 0;
    memcpy(image + 4 * WIDTH + 4, pixels + 16, 12);
    memcpy(image + 5 * WIDTH + 4, pixels + 28, 12);
}

/* Element x of row y of 12 rows of 20 words, 64 bytes apart; 0 outside. */
static u16 word_of(const void *in, int x, int y)
{
    return x < 20 && y < 12 ? get16((const u8 *)in + y * 64 + x * 2) : 0;
}

static void traps_blocks(const void *in, void *out, unsigned thread)
{
    (void)thread;
    u8 *to = out;
    memset(to, 0, 256);
    EACH(r, 3) EACH(c, 6)
    {
        put16(to + r * 16 + c * 2, word_of(in, 17 + c, 10 + r));
        put16(to + 64 + r * 16 + c * 2, word_of(in, 17 + c, 10 + r));
        EACH(b, 2)
        {
            u16 word = word_of(in, 2 + b * 6 + c, 1 + r);
            put16(to + 128 + b * 64 + r * 16 + c * 2, word);
            put16(to + 256 + b * 36 + r * 12 + c * 2, word);
        }
    }
    EACH(r, 8)
    EACH(c, 4) put16(to + 384 + (c / 2 * 16 + r * 2 + c % 2) * 2, word_of(in, 2 + c, 2 + r));
}

static void traps_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *from = in;
    u32 four[64];
    EACH(k, 16) EACH(c, 4) four[c * 16 + k] = get32(from + (15 - k) * 20 + c * 4);
    OUT(0, four);
    EACH(k, 16) EACH(c, 2) put32((u8 *)out + 256 + (c * 16 + k) * 4, four[(15 - k) * 4 + c]);
}

static void traps_products(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int8_t, b, 256, 0); /* dword k holds four rows of column k % 8 */
    IN(int8_t, a, 256, 256);
    i32 three[24] = {0}, mixed[64] = {0};
    EACH(r, 8) EACH(c, 8) EACH(k, 32)
    {
        int factor = b[(k / 4 * 8 + c) * 4 + k % 4];
        if (r < 3)
            three[8 * r + c] += factor * a[32 * r + k];
        mixed[8 * r + c] += factor * (u8)a[32 * r + k];
    }
    OUT(0, three);
    OUT(128, mixed);
}

static void inference_types(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, u, 16, 0);
    IN(u8, bytes, 16, 64);
    u32 result[64] = {0};
    EACH(k, 16) result[k] = u[k] + 1 + 3 + 2 * (u32)k;
    EACH(k, 16) result[16 + k] = bytes[k];
    EACH(k, 16) result[32 + k] = 5 + result[0];
    result[33] = result[34] = 2; /* two blocks of four columns on a part with eight */
    result[35] = 0;
    OUT(0, result);
}

static void inference_flat(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *from = in;
    u8 *to = out;
    EACH(k, 32) put16(to + 62 - 2 * k, 62 - 2 * k < 8 ? 7 : get16(from + 62 - 2 * k));
    EACH(k, 32)
    if (62 - 2 * k < 40)
        put32(to + 64 + 4 * k, get32(from + 64 + 124 - 4 * k));
}

const struct reference traps_table[] = {
    ROW(traps_values),    ROW(traps_memory),   ROW(cxx17_named),  ROW(cxx17_other), ROW(deduced_references),
    ROW(deduced_vectors), ROW(traps_image),    ROW(traps_blocks), ROW(traps_lanes), ROW(traps_products),
    ROW(inference_types), ROW(inference_flat), ROW(beyond_objects), {NULL, NULL}};
