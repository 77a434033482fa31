/* Computes in scalar C what the kernels of long_sums.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* second: the sum in lane 1 of the vector */
static uint64_t added_up(uint64_t a, uint64_t b, u32 c, uint64_t second)
{
    uint64_t wide = c, same = b + (second >> 5) + (c > 0x80000000u ? wide : 0);
    return a + b + a + wide + (((a + 0xfffffff0u) ^ (a + 0x7fff00000001ull)) + ((b + 0x123456789abcdef0ull) ^ same));
}

static void long_sums(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(uint64_t, a, 16, 0);
    IN(uint64_t, b, 16, 128);
    IN(u32, c, 32, 256);
    uint64_t r[64] = {0};
    EACH(k, 16) r[k] = added_up(a[k], b[k], c[k], a[1] + b[1]);
    EACH(k, 8) r[16 + k] = added_up(a[2 * k], b[3 + k], c[1 + 2 * k], a[2] + b[4]);
    EACH(k, 4) r[24 + k] = added_up(a[5 + k], b[4 * k], c[7 + k], a[6] + b[4]);
    EACH(k, 2) r[28 + k] = added_up(a[9 + k], b[1 + k], c[4 + k], a[10] + b[2]);
    EACH(k, 3) r[30 + k] = a[2 + k] + b[7 + k];
    r[33] = a[3] + c[5] + c[6] + 0xffffffffu;
    r[34] = (uint64_t)c[7] + c[8];
    r[35] = (uint64_t)c[9] + 0x8000000080000000ull;
    OUT(0, r);
}

static void low_dwords(const void *in, void *out, unsigned thread)
{
    static const uint64_t table[] = {0x100000007, 0x20000000b, 0x8000000300000011, 0xffffffffffffffff};
    IN(uint64_t, a, 8, thread * 256);
    IN(u32, c, 16, thread * 256 + 64);
    u32 r[64] = {0};
    EACH(k, 8)
    {
        u32 x = ((u32)a[k] * 5 + c[k]) << 3, y = (x - ((u32)a[k] & 0xff00ff)) | c[4 + k];
        r[k] = y;
        r[8 + k] = y & 0xffff;
    }
    u32 sum = 3, chosen = (u32)(c[0] & 1 ? a[1] : a[2] + c[3]);
    for (u32 k = 0; k < (c[1] & 7); k++)
        sum = sum * (u32)a[k & 3] + k;
    r[16] = sum;
    r[17] = chosen * 3;
    r[18] = (u32)table[c[2] & 3] + (u8)table[c[3] & 3];
    EACH(k, 4) r[20 + k] = c[8 + k] * 3 - (u32)a[4 + k];
    const u32 places[4] = {sum + 3, sum + 2, chosen << 4, sum};
    EACH(k, 4)
    {
        r[24 + k] = places[k];
        r[28 + k] = places[k] + 4;
    }
    uint64_t whole = a[5] + c[11];
    r[32] = (u32)whole;
    r[33] = (u32)(whole >> 32);
    OUT(thread * 256, r);
}

REFERENCE(long_sums)
REFERENCE(low_dwords)
