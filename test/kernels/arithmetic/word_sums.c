/* Computes in scalar C what the kernel of word_sums.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i16 wrapped(int number)
{
    return (i16)(u16)((unsigned)number & 0xffff);
}

static i16 clamped(int number)
{
    return (i16)(number < INT16_MIN ? INT16_MIN : number > INT16_MAX ? INT16_MAX : number);
}

/* Sums of rows of 24 pixels. */
static void sum_rows(const u8 *p, void *out)
{
    u16 sums[48], others[48], quarters[48];
    i32 shifted[48];
    EACH(k, 48)
    {
        const u8 *at = p + k / 24 * 32 + k % 24;
        sums[k] = (u16)(at[0] * 13 + at[2] * 700 + at[33] * 9);
        others[k] = (u16)(at[64] - 4 * at[35] + 600 * at[68]);
        shifted[k] = (int8_t)at[1] * 64;
        quarters[k] = (u16)(at[33] << 12);
    }
    OUT(64, sums);
    OUT(160, others);
    OUT(256, shifted);
    OUT(576, quarters);
}

static void word_sums(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, p, 128, 0);
    IN(i16, w, 64, 128);
    i16 row[16], signs[16], merged[16], saturated[16];
    i32 wide[32];
    u8 bytes[32];
    EACH(k, 16)
    {
        row[k] = wrapped(p[k] * 13 + p[k + 1] * 4 - p[k + 2] * 9 - w[k] * 300 - w[k + 16] * 8);
        i16 products = wrapped(w[k] * w[k + 16]);
        products = wrapped(products + w[3] * w[32 + 2 * k]);
        signs[k] = wrapped(p[33 + 2 * k] * w[5] - products);
        merged[k] = wrapped(w[k] * 5 + w[k + 1] * 7);
        if (w[k] > 0)
            merged[k] = wrapped(merged[k] + w[k + 2] * 11);
        saturated[k] = clamped((w[k] & 255) + w[k + 16] * 3);
    }
    EACH(k, 32)
    {
        wide[k] = w[1 + 2 * k] * 16384;
        bytes[k] = (u8)((p[k] * 66 + p[32 + k] * 129 + p[64 + k] * 25 + 128) >> 8);
    }
    OUT(0, row);
    OUT(32, signs);
    sum_rows(p, out);
    OUT(448, wide);
    OUT(672, merged);
    OUT(704, saturated);
    OUT(736, bytes);
}

REFERENCE(word_sums)
