/* Computes in scalar C what the kernel of byte_fields.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void byte_fields(const void *in, void *out, unsigned thread)
{
    IN(u32, p, 32, thread * 256);
    IN(i32, s, 16, thread * 256 + 128);
    IN(u16, w, 32, thread * 256 + 192);
    float gray[16], widths[32];
    u32 sums[16], after[32];
    i32 mixed[16];
    u16 parts[16];
    i16 signs[16];
    EACH(k, 32) after[k] = k < 16 ? (u32)s[k] * 5 : p[k];
    EACH(k, 16)
    {
        gray[k] = (float)(p[k] % 256) * 2.0f + (float)(p[k + 16] / 256 % 256) * 3.0f;
        gray[k] += (float)(p[k] >> 24) - (float)(int8_t)(s[k] >> 24);
        gray[k] += (float)(i16)(s[k] >> 16) * 0.5f;
        sums[k] = p[1 + 2 * k] / 65536 + p[3 + k] % 65536 * (p[3 + k] / 256 % 256);
        sums[k] -= (u32)(w[2 * k] / 256) - w[16 + k] % 256;
        mixed[k] = (i32)(p[k] / 256 % 256 << (after[k] & 15));
        mixed[k] ^= (i32)((u32)(s[k] >> 16) - p[k] % 65536);
        if (s[k] > 0)
            mixed[k] = (i32)(p[k] / 65536 % 256);
        if ((u32)mixed[k] < p[k] % 256)
            mixed[k] = (s[k] >> 24) + 1;
        parts[k] = (u16)(w[8 + k] / 256 * 3 + after[8 + k] / 256 % 256);
        parts[k] = (u16)(parts[k] + p[k] / 65536 % 256 + (u8)(s[k] >> 8));
        signs[k] = (i16)((i16)(s[k] >> 16) + w[k] / 256);
    }
    EACH(k, 32) widths[k] = (float)(after[k] % 65536) + 0.5f;
    OUT(thread * 512, gray);
    OUT(thread * 512 + 64, sums);
    OUT(thread * 512 + 128, mixed);
    OUT(thread * 512 + 192, parts);
    OUT(thread * 512 + 224, signs);
    OUT(thread * 512 + 256, after);
    OUT(thread * 512 + 384, widths);
}

REFERENCE(byte_fields)
