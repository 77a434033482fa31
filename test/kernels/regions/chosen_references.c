/* Computes in scalar C what the kernel of chosen_references.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void chosen_references(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 32, 0);
    IN(u32, w, 16, 128);
    const i32 n = (i32)w[3];
    u32 at = n & 1 ? 0 : (u32)n & 14, i = w[4] & 15, from = n & 2 ? i : 3, turn = 0;
    int on[8], all[8], any = 0;
    EACH(k, 8) v[at + 2 * (u32)k] += 7;
    EACH(k, 8) v[from + (u32)k] *= 5;
    EACH(k, 8) on[k] = all[k] = (i32)v[24 + k] > 0;
    EACH(k, 8) any = any || on[k];
    const int entered = any;
    while (any) {
        u32 sum[8];
        turn++;
        EACH(k, 8) sum[k] = w[(i & 7) + (u32)k] + v[16 + k];
        EACH(k, 8) if (on[k]) w[(i & 7) + (u32)k] = sum[k];
        EACH(k, 8) if (on[k]) w[8 + k] ^= 3;
        i = (u32)(n >> 5);
        any = 0;
        EACH(k, 8) on[k] = on[k] && turn < (v[24 + k] & 3);
        EACH(k, 8) any = any || on[k];
    }
    EACH(k, 8) if (entered && all[k]) w[8 + k] += v[(i & 15) + (u32)k];
    OUT(0, v);
    OUT(128, w);
}

REFERENCE(chosen_references)
