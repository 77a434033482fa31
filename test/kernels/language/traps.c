/* Computes in scalar C what the kernels of traps.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

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

REFERENCE(traps_values)
REFERENCE(traps_memory)
