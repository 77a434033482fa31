/* Computes in scalar C what the kernels of buffers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void blocks_of_hwords(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 128, thread * 512);
    u32 r[128];
    EACH(k, 8) r[k] = r[8 + k] = a[80 + k] ^ a[64 + 2 * k + 1];
    EACH(k, 16) r[16 + k] = a[64 + k];
    EACH(k, 64) r[32 + k] = a[k] + 1;
    EACH(k, 32) r[96 + k] = a[96 + k];
    OUT(thread * 512, r);
}

static void scattered_qwords(const void *in, void *out, unsigned thread)
{
    (void)thread;
    uint64_t a[64], value[16];
    memcpy(a, in, sizeof a);
    EACH(k, 16) value[k] = a[k * 4];
    EACH(k, 16) memcpy((u8 *)out + (15 - k) * 24, &value[k], 8);
    EACH(k, 8)
    {
        uint64_t some = a[(k + 1) * 4] - 1;
        memcpy((u8 *)out + (7 - k) * 24 + 8, &some, 8);
    }
}

static void atomics_as_before(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    u32 r[128], *x = a + 16;
    EACH(k, 64) r[k] = a[k % 16];
    EACH(k, 8)
    {
        int at = 7 - k;
        u32 wanted = a[8 + k] + (k % 2 == 0);
        i32 least = (i32)a[24 + k];
        r[64 + k] = r[at];
        r[at] += x[k];
        r[72 + k] = r[8 + at]++;
        r[16 + at] = x[k] > r[16 + at] ? x[k] : r[16 + at];
        r[80 + k] = r[24 + at];
        r[24 + at] = r[24 + at] == wanted ? x[k] : r[24 + at];
        r[88 + k] = --r[32 + at];
        r[96 + k] = r[40 + at];
        r[40 + at] = least < (i32)r[40 + at] ? (u32)least : r[40 + at];
        r[104 + k] = (u32)least;
        r[112 + k] = r[120 + k] = x[k];
    }
    OUT(0, r);
}

REFERENCE(blocks_of_hwords)
REFERENCE(scattered_qwords)
REFERENCE(atomics_as_before)
