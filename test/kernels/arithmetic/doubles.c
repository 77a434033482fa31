/* Computes in scalar C what the kernels of doubles.cm must write. */
#include <math.h>
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void addressed_doubles(const void *in, void *out, unsigned thread)
{
    enum { TWO = 0, FOUR = 2 };
    (void)thread;
    IN(u16, words, 32, 0);
    IN(i32, dwords, 16, 64);
    IN(u16, places, 32, 128);
    double x[16] = {0};
    EACH(k, 2) x[k] = x[8 + k] = words[places[TWO + k] & 15];
    EACH(k, 4) x[4 + k] = x[12 + k] = dwords[places[FOUR + k] & 15];
    OUT(0, x);
}

static void double_exponentials(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(u32, j, 16, thread * 128 + 64);
    float row[4][16];
    EACH(k, 16)
    {
        double x = exp(i[k] * 0x1p-33), y = log((j[k] >> 1) * 0x1p-29 + 0.25);
        if (k == 0)
            y = log(0x1.8p-1000) * 0x1p-10 + exp(-690.5) * 0x1p996;
        if (k == 1)
            y = 1;
        row[0][k] = (float)x;
        row[1][k] = (float)((x - row[0][k]) * 0x1p26);
        row[2][k] = (float)y;
        row[3][k] = (float)((y - row[2][k]) * 0x1p26);
    }
    OUT(thread * 256, row);
}

/* Some whole part, some fraction. */
static void some_doubles(const void *in, unsigned at, double x[16])
{
    IN(i32, high, 16, at);
    IN(i32, low, 16, at + 64);
    EACH(k, 16) x[k] = high[k] * 0x1p-8 + low[k] * 0x1p-40;
}

static void doubles(const void *in, void *out, unsigned thread)
{
    double x[16], y[16], row[5][16], half_of[16] = {0}, sum = 0, last[8];
    i32 relations[16];
    static const int from[8] = {15, 3, 3, 0, 8, 1, 2, 14};
    some_doubles(in, thread * 256, x);
    some_doubles(in, thread * 256 + 128, y);
    EACH(k, 16)
    {
        row[0][k] = x[k] + y[k];
        row[1][k] = x[k] * y[k];
        row[2][k] = x[k] > y[k] * 0.5 ? fmax(x[k], y[k]) : fmin(x[k], y[k]);
        row[3][k] = fabs(x[k]) - y[k];
        row[4][k] = k % 2 ? y[k] : x[4 + k / 2];
        relations[k] = (x[k] < y[k]) | 2 | (x[k] != y[k]) << 2 | (x[k] >= 0.25) << 3;
        sum += x[k] * 0x1p-3;
    }
    double factor = row[4][3];
    EACH(k, 4) row[4][12 + k] *= factor;
    half_of[0] = sum;
    half_of[1] = x[0] < y[0] ? x[1] : -y[1];
    EACH(k, 8) last[k] = x[from[k]];
    OUT(thread * 896, row);
    OUT(thread * 896 + 640, relations);
    OUT(thread * 896 + 704, half_of);
    OUT(thread * 896 + 832, last);
}

static void double_conversions(const void *in, void *out, unsigned thread)
{
    double x[16], y[2][16];
    i32 whole[16];
    i16 words[16];
    u8 bytes[2][16];
    float floats[3][16];
    u16 bits;
    some_doubles(in, thread * 256, x);
    EACH(k, 16)
    {
        i32 truncated = (i32)x[k];
        whole[k] = truncated;
        words[k] = (i16)(x[k] * 0x1p-9);
        bytes[0][k] = (u8)(truncated < 0 ? 0 : truncated > 255 ? 255 : truncated);
        bytes[1][k] = (u8)truncated;
        floats[0][k] = (float)x[k];
        floats[1][k] = (float)unit_clamped(x[k]);
        floats[2][k] = (float)(x[k] - (double)floats[0][k]);
        y[0][k] = trunc(x[k] * 256);
        y[1][k] = to_half_and_back((float)(x[k] * 0x1p-16), &bits);
    }
    u8 *to = (u8 *)out + thread * 640;
    memcpy(to, whole, 64);
    EACH(k, 16) put32(to + 64 + 4 * k, (u32)fabs(x[k]));
    memcpy(to + 128, words, 32);
    memcpy(to + 160, bytes, 32);
    memcpy(to + 192, floats, 192);
    memcpy(to + 384, y, 256);
}

static void double_remainders(const void *in, void *out, unsigned thread)
{
    double x[16], y[16], row[2][16], some[8], special[8], last[8];
    some_doubles(in, thread * 256, x);
    some_doubles(in, thread * 256 + 128, y);
    static const uint64_t nan = (uint64_t)0x7ff8 << 48;
    EACH(k, 16)
    {
        double size = k % 2 && k < 8 ? 0x1p+990 : k % 2 == 0 && k >= 8 ? 0x1p+500 : 1;
        row[0][k] = fmod(x[k], y[k]);
        y[k] *= k % 2 ? 1 : 0x1p-980;
        row[1][k] = fmod(x[k] * size, y[k]);
    }
    EACH(k, 8)
    {
        some[k] = fmod(x[8 + k], 1.75);
        memcpy(&special[k], &nan, 8);
        last[k] = fmod(-7.5, y[8 + k]) * 0x1p+8;
    }
    special[1] = x[1];
    special[2] = fmod(x[2], y[2]);
    OUT(thread * 512, row);
    OUT(thread * 512 + 256, some);
    OUT(thread * 512 + 320, special);
    OUT(thread * 512 + 384, last);
}

static void double_roots(const void *in, void *out, unsigned thread)
{
    double x[16], row[32] = {0};
    some_doubles(in, thread * 128, x);
    EACH(k, 16) row[k] = 1 / sqrt(fabs(x[k]));
    EACH(k, 4) row[16 + k] = 1 / sqrt(fabs(x[8 + k]) * 0x1p-400);
    row[20] = 2;
    row[21] = unit_clamped(row[5]);
    OUT(thread * 256, row);
}

REFERENCE(addressed_doubles)
REFERENCE(doubles)
REFERENCE(double_conversions)
REFERENCE(double_exponentials)
REFERENCE(double_remainders)
REFERENCE(double_roots)
