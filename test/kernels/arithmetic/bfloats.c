/* Computes in scalar C what the kernels of bfloats.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/flat.h"
#include "test/kernels/reference.h"

/* The nearest bf16 of any float: its bits, and as a float. */
static u16 bfloat_bits(float x)
{
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        return (u16)((bits | 0x400000) >> 16);
    return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float bfloat(float x)
{
    return (float)brain_of(bfloat_bits(x));
}

static u8 *put_bfloats(u8 *to, const float x[16])
{
    EACH(k, 16) put16(to + 2 * k, bfloat_bits(x[k]));
    return to + 32;
}

static void bfloats(const void *in, void *out, unsigned thread)
{
    static const float table[4] = {1, -0.5f, 3.140625f, 1000};
    IN(i16, bits, 32, thread * 64);
    u8 *to = (u8 *)out + thread * 416;
    float a[16], b[16], r[16], v[8];
    EACH(k, 16)
    {
        a[k] = bfloat((float)(bits[k] >> 6)) * 0.125f;
        b[k] = bfloat((float)(bits[16 + k] >> 6)) * 0.125f;
    }
    EACH(k, 16) r[k] = a[k] + b[k];
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = bfloat(a[k] * b[k]) - a[k];
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = a[k] * 3.0f;
    memcpy(to, r, 64);
    to += 64;
    EACH(k, 16) r[k] = a[k] < b[k] ? b[k] : a[k];
    to = put_bfloats(to, r);
    EACH(k, 16) put16(to + 2 * k, (u16)((a[k] <= b[k]) + 2 + (-a[k] > b[k]) * 4));
    to += 32;
    EACH(k, 16) r[k] = fabsf(a[k] - b[k]);
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = fabsf(a[k]);
    to = put_bfloats(to, r);
    memset(r, 0, sizeof r);
    memcpy(r, table, sizeof table);
    EACH(k, 4)
    {
        r[4 + 2 * k] = b[2];
        r[5 + 2 * k] = 0.5f;
    }
    r[15] = 1 + 3.140625f * a[1];
    r[14] = (a[0] > b[0] ? a[3] : 7.0f) / 3.0f;
    to = put_bfloats(to, r);
    EACH(k, 8)
    {
        v[k] = bfloat((k ? a[8 + k] : 5.0f) + b[1]);
        r[k] = v[k] * 2;
        r[8 + k] = a[8 + k];
    }
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = bfloat(a[k] * b[k]) + bfloat(a[k] + 0.25f);
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = v[k % 8];
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = a[k] > b[k] ? b[k] * 0.5f : a[k];
    put_bfloats(to, r);
}

static void bfloat_conversions(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(float, j, 16, thread * 128 + 64);
    u8 *to = (u8 *)out + thread * 384;
    float r[16];
    to = put_bfloats(to, j);
    EACH(k, 16) put32(to + 4 * k, (u32)bfloat_bits(j[k]) << 16);
    to += 64;
    EACH(k, 16) r[k] = (float)(i[k] >> 8);
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = (float)(u16)((u32)i[k] >> 16);
    to = put_bfloats(to, r);
    EACH(k, 16)
    {
        r[k] = bfloat((float)(i[k] >> 12));
        put32(to + 4 * k, (u32)(i32)r[k]);
        to[64 + k] = (u8)(r[k] < 0 ? 0 : r[k] > 255 ? 255 : r[k]);
        put16(to + 80 + 2 * k, (u16)(i16)(r[k] * 0.03125f));
        r[k] *= 0x1p-10f;
        put16(to + 112 + 2 * k, half_bits(r[k]));
        r[k] = bfloat((float)half_of(half_bits(r[k] * 0.5f)));
    }
    to = put_bfloats(to + 144, r);
    u8 *last = to + 32;
    EACH(k, 16) last[k] = (u8)(bfloat_bits(r[k]) >> 8);
    EACH(k, 16) r[k] = r[k] < 0 ? 0 : r[k] > 1 ? 1 : r[k];
    put_bfloats(to, r);
}

static void bfloat_argument(const void *in, void *out, unsigned thread)
{
    IN(u16, bits, 32, 0);
    (void)thread;
    EACH(k, 32) put16((u8 *)out + 2 * k, -brain_of(bits[k]) < brain_of(bits[0]) ? bits[k] : bits[0]);
}

REFERENCE(bfloats)
REFERENCE(bfloat_conversions)
REFERENCE(bfloat_argument)
