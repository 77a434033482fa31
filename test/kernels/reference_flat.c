/* References of the kernels that test flat memory, images, and what kernels print and pass. */
#include "elements.h"
#include "reference.h"

#include <stdlib.h>

typedef uint64_t u64;
typedef int64_t i64;

static void flat_channels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 512, 0);
    EACH(k, 32) EACH(c, 4)
    {
        put32((u8 *)out + 16 * k + 4 * c, c == 2 ? a[4 * k + 2] + a[4 * k + 3] : a[4 * k + c]);
    }
    EACH(k, 8)
    {
        unsigned from = 128 + ((unsigned)(k + 3) * 5 & 31) * 4, to = 128 + ((unsigned)k * 5 & 31) * 4;
        put32((u8 *)out + 4 * to, a[from + 1] ^ 1);
        put32((u8 *)out + 4 * to + 12, a[from + 2] ^ 1);
    }
    EACH(k, 16) put32((u8 *)out + 1536 + (k - 8) * 16 + 256 + 4, a[384 + (k - 8) * 4 + 2]);
}

static void flat_pointers(const void *in, void *out, unsigned thread)
{
    u8 *to = (u8 *)out + 256 * thread;
    const u8 *from = (const u8 *)in + 256 * thread;
    EACH(k, 16) put32(to + 4 * k, get32(from + 4 * k) + (k < 8 ? (u32)(i16)get16(from + 68 + 16 + 2 * k) : 0));
    EACH(k, 16)
    {
        put16(to + 64 + 6 * k, get16(from + 6 * k));
        to[64 + 6 * k + 3] = from[6 * k + 1];
    }
    EACH(k, 8)
    {
        put32(to + 192 + 8 * k, get32(from + 128 + 8 * k));
        put32(to + 196 + 8 * k, get32(from + 132 + 8 * k));
    }
}

static u64 higher(u64 a, u64 b)
{
    return a > b ? a : b;
}

static void flat_atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 256, 0);
    IN(u64, q, 128, 0);
    u32 r[256];
    u64 wide[64];
    memcpy(r, a, sizeof r);
    EACH(k, 16)
    {
        u32 x = a[240 + k], same = k % 2 ? a[48 + k] : 1;
        r[k] += x;
        r[16 + k] = a[16 + k] < 0x80000000 ? a[16 + k] : 0x80000000;
        r[32 + k] = x;
        r[48 + k] = a[48 + k] == same ? x : a[48 + k];
        r[64 + k] += 1;
        r[80 + k] -= 1;
        r[240 + k] = ((((a[k] ^ a[16 + k]) + a[32 + k]) ^ a[48 + k]) + a[64 + k]) ^ (a[80 + k] - 1);
        if (k < 4) {
            r[96 + k] = (i32)a[96 + k] > (i32)x ? a[96 + k] : x;
            r[100 + k] = (i32)a[100 + k] < (i32)x ? a[100 + k] : x;
            r[240 + k] += a[100 + k];
        }
    }
    memcpy(wide, r + 128, sizeof wide);
    EACH(k, 8)
    {
        u64 y = q[120 + k];
        wide[k] = q[64 + k] + y;
        y += q[64 + k];
        wide[8 + k] = q[72 + k] ^ y;
        wide[16 + k] = higher(q[80 + k], y);
        wide[24 + k] = (i64)q[88 + k] < (i64)y ? q[88 + k] : y;
        wide[48 + k] = q[88 + k] ^ q[80 + k];
    }
    memcpy(r + 128, wide, 56 * sizeof *wide);
    OUT(0, r);
}

static void flat_sums(const void *in, void *out, unsigned thread)
{
    IN(u32, what, 8, 0);
    EACH(k, 8)
    {
        u8 *at = (u8 *)out + 4 * (((unsigned)k + thread % 4) & 7);
        put32(at, get32(at) + what[k]);
    }
    put32((u8 *)out + 60, get32((u8 *)out + 60) + 1);
}

static void float_atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    float x[64], r[128];
    EACH(k, 64) r[k] = r[64 + k] = x[k] = (int8_t)a[k];
    EACH(k, 16)
    {
        r[k] = x[k] > 3.5f ? x[k] : 3.5f;
        r[64 + k] = x[k];
        r[16 + k] = x[16 + k] < 3.5f ? x[16 + k] : 3.5f;
        r[80 + k] = x[16 + k];
        r[32 + k] = k % 2 ? 3.5f : x[32 + k];
        r[96 + k] = x[32 + k];
    }
    OUT(0, r);
}

static void lsc(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *from = in;
    u8 *to = out;
    EACH(k, 32) put32(to + 16 * k, get32(from + 16 * k));
    EACH(k, 32) put32(to + 16 * k + 4, get32(from + 16 * k + 4) + 3);
    for (int k = 1; k < 20; k += 2)
        put16(to + (29 - k) * 16 + 8, get16(from + (29 - k) * 16 + 8));
    EACH(k, 8)
    {
        to[(31 - k) * 16 + 12] = from[(31 - k) * 16 + 13];
        put32(to + (31 - k) * 4 + 640, from[(31 - k) * 16 + 15]);
    }
    memcpy(to + 512, from + 512, 128);
    memcpy(to + 1024, from + 1024, 256);
    EACH(k, 3) put32(to + 1024 + 4 * k, get32(from + 1024 + 4 * k) ^ 0xff);
    memcpy(to + 1280, from + 1024 + 20, 12);
}

static void lsc_surfaces(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *from = in;
    u8 *to = out;
    EACH(k, 16) memcpy(to + (15 - k) * 32, from + k * 32, 16);
    memcpy(to + 512, from + 512, 128);
    EACH(k, 16) put16(to + 512 + 8 * k, (u16)(get16(from + 512 + 8 * k + 2) + 1));
}

static double half_of(u16 bits)
{
    int exponent = bits >> 10 & 31;
    double size =
        exponent ? (1024 + (bits & 1023)) * __builtin_ldexp(1, exponent - 25) : (bits & 1023) * __builtin_ldexp(1, -24);
    return bits >> 15 ? -size : size;
}

static double brain_of(u16 bits)
{
    u32 wide = (u32)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static void dpas(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int8_t, b, 256, 0); /* dword k holds four rows of column k % 8 */
    IN(u8, a, 256, 256);
    IN(i32, sum, 64, 512);
    IN(u16, hb, 128, 0);
    IN(u16, ha, 64, 256 + 32);
    IN(u16, ba, 32, 256);
    IN(u8, nb, 256, 0);
    IN(u8, na, 32, 256 + 20);
    float halves[32], brains[16];
    i32 nibbles[8];
    EACH(r, 8) EACH(c, 8) EACH(k, 32) sum[8 * r + c] += b[(k / 4 * 8 + c) * 4 + k % 4] * a[32 * r + k];
    EACH(r, 4) EACH(c, 8)
    {
        double total = 0;
        EACH(k, 16) total += half_of(hb[(k / 2 * 8 + c) * 2 + k % 2] & 0x3bff) * half_of(ha[16 * r + k] & 0xbbff);
        halves[8 * r + c] = (float)total;
    }
    EACH(r, 2) EACH(c, 8)
    {
        double total = 0.5;
        EACH(k, 16)
        total += brain_of((hb[(k / 2 * 8 + c) * 2 + k % 2] & 0x3fff) | 0x3800) *
                 brain_of((ba[16 * r + k] & (k % 2 ? 0x3f7f : 0xbf7f)) | 0x3800);
        brains[8 * r + c] = (float)total;
    }
    EACH(c, 8)
    {
        nibbles[c] = 0;
        EACH(k, 64)
        {
            int x = nb[(k / 8 * 8 + c) * 4 + k % 8 / 2] >> 4 * (k % 2) & 15, y = na[k / 2] >> 4 * (k % 2) & 15;
            nibbles[c] += x * (y > 7 ? y - 16 : y);
        }
    }
    OUT(0, sum);
    OUT(256, halves);
    OUT(384, brains);
    OUT(448, nibbles);
}

const struct reference flat_table[] = {ROW(flat_channels), ROW(flat_pointers), ROW(flat_atomics),
                                       ROW(flat_sums),     ROW(float_atomics), ROW(lsc),
                                       ROW(lsc_surfaces),  ROW(dpas),          {NULL, NULL}};
