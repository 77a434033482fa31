/* Computes in scalar C what the kernel of uniform_choices.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static u32 count(u32 bits)
{
    u32 ones = 0;
    for (; bits; bits >>= 1)
        ones += bits & 1;
    return ones;
}

static u32 first(u32 bits)
{
    u32 place = 0;
    if (!bits)
        return 0xffffffff;
    for (; !(bits & 1); bits >>= 1)
        place++;
    return place;
}

static void uniform_choices(const void *in, void *out, unsigned thread)
{
    IN(u8, a, 128, thread * 16);
    IN(u8, b, 128, 128 + thread * 16);
    IN(i16, s, 64, 256 + thread * 16);
    IN(i32, d, 32, 384 + thread * 16);
    bool less = a[0] < b[0];
    u8 chosen[128], last[128];
    i16 words[64];
    i32 dwords[32];
    u32 bits[32] = {0}, above = 0, positive = 0, farther = 0;
    EACH(k, 128) chosen[k] = a[1] > b[1] ? b[k] : less ? a[k] : 0;
    EACH(k, 64) words[k] = (i16)(less ? s[k] : s[k] + 5);
    i16 before[64];
    memcpy(before, words, sizeof before);
    EACH(k, 7) words[3 + k] = less ? before[20 + k] : s[40 + k];
    EACH(k, 4) words[33 + 2 * k] = less ? s[1 + k] : s[2 + 3 * k];
    memcpy(dwords, d, sizeof dwords);
    if (a[2] & 1) {
        EACH(k, 12) dwords[4 + k] = d[9 + k];
        dwords[30] = 7;
    }
    EACH(k, 16)
    {
        if (d[k] > 0)
            dwords[16 + k] = (i32)((u32)dwords[16 + k] + (u32)(less ? d[3 + k] : d[1 + k]));
        else
            dwords[16 + k] = (i32)((u32)dwords[16 + k] - (less ? 3 : 11));
    }
    EACH(k, 32) above |= (u32)(a[k] > b[k]) << k, farther |= (u32)(a[32 + k] > b[64 + k]) << k;
    EACH(k, 16) positive |= (u32)(s[k] > 0) << k;
    bits[0] = count(above);
    bits[1] = count(positive);
    EACH(k, 8) bits[2] |= (u32)(d[k] > 0) << k;
    EACH(k, 16) bits[3] |= (u32)(d[k] > d[16 + k]) << k;
    bits[3] |= 0x50000;
    bits[4] = first(farther);
    EACH(k, 128) last[k] = less ? (u8)(chosen[k] + 1) : b[k];
    OUT(thread * 640, chosen);
    OUT(thread * 640 + 128, words);
    OUT(thread * 640 + 256, dwords);
    OUT(thread * 640 + 384, bits);
    OUT(thread * 640 + 512, last);
}

REFERENCE(uniform_choices)
