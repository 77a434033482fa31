/* Computes in scalar C what the kernels of atomics.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 256, 0);
    u32 r[16][16];
    memcpy(r, a, sizeof r);
    EACH(k, 16)
    {
        u32 x = a[240 + k], y = k % 2 ? a[7 * 16 + k] : 1, top = 0x80000000, sum;
        r[0][k] += x;
        r[1][k] -= x;
        r[2][k] += 1;
        r[3][k] -= 1;
        r[4][k] = r[4][k] < top ? r[4][k] : top;
        r[5][k] = r[5][k] > x ? r[5][k] : x;
        r[6][k] = x;
        r[7][k] = r[7][k] == y ? x : r[7][k];
        r[8][k] &= x;
        r[9][k] |= 0x10101;
        r[10][k] ^= x;
        r[11][k] = (i32)r[11][k] < (i32)x ? r[11][k] : x;
        r[12][k] = (i32)r[12][k] > (i32)x ? r[12][k] : x;
        r[13][k] -= 1;
        sum = (((a[k] ^ a[32 + k]) + a[96 + k]) ^ a[112 + k]) + r[13][k];
        r[15][k] = k % 2 ? r[14][k] : sum;
        r[14][k] += k % 2 ? 1000 : 0;
    }
    r[14][4] |= 0xf0f0f0f0;
    r[14][5] |= 0xf0f0f0f0;
    OUT(0, r);
}

static void atomic_sums(const void *in, void *out, unsigned thread)
{
    IN(u32, what, 8, 0);
    EACH(k, 8)
    {
        u8 *at = (u8 *)out + 4 * (((unsigned)k + thread % 4) & 7);
        put32(at, get32(at) + what[k]);
    }
    put32((u8 *)out + 60, get32((u8 *)out + 60) + 1);
}

static void shared_atomics(const void *in, void *out, unsigned thread)
{
    IN(u32, what, 8, 0);
    u32 r[16];
    EACH(k, 8)
    {
        r[k] = 8 * what[k];
        r[8 + k] = 8;
    }
    if (thread == 0)
        OUT(0, r);
}

REFERENCE(atomics)
REFERENCE(atomic_sums)
REFERENCE(shared_atomics)
