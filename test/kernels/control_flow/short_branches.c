/* Computes in scalar C what the kernel of short_branches.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void short_branches(const void *in, void *out, unsigned thread)
{
    IN(i32, first, 16, thread * 128);
    IN(i32, v, 16, thread * 128 + 64);
    i32 u[16], w[16], chosen[16], x = first[0] & 31;
    bool three = false, five = false;
    memcpy(w, first, sizeof w);
    memcpy(u, v, sizeof u);
    EACH(i, 16)
    {
        bool second = (w[i] & 240) == 80;
        three = three || (w[i] & 15) == 3;
        five = five || second;
        chosen[i] = second ? w[i] : v[i];
    }
    EACH(i, 4)
    {
        if (!three)
            v[2 * i] = (i32)((u32)v[2 * i] + 5);
        if (three || !five)
            v[2 * i + 1] = 7;
    }
    while (!(x & 8)) {
        x += 3;
        if (x & 2) {
            EACH(i, 16) u[i] = (i32)((u32)u[i] * 3);
            u[x & 7] = 3;
            memcpy(w, (const u8 *)in + thread * 128 + (x & 1) * 64, sizeof w);
        }
        u[0] = (i32)((u32)u[0] + (u32)x);
    }
    u[x & 1 ? 1 : 2] = x & 1 ? 5 : 7;
    while (!(x & 16)) {
        x += 5;
        EACH(i, 16) u[i] = (i32)((u32)u[i] + (x & 2 ? (u32)x : 0));
        u[4] = x;
    }
    if (x & 1)
        u[3] = 9;
    EACH(i, 4) if ((w[1] & 3) == 0) u[(w[2] & 3) + i] = w[3];
    if ((w[1] & 3) < 2)
        u[9] = (i32)((u32)u[9] + (u32)w[4]);
    if ((w[1] & 3) == 2)
        u[10] = w[5];
    OUT(thread * 192, chosen);
    OUT(thread * 192 + 64, v);
    OUT(thread * 192 + 128, u);
}

REFERENCE(short_branches)
