/* Computes in scalar C what the kernels of cxx17.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

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

REFERENCE(cxx17_named)
REFERENCE(cxx17_other)
