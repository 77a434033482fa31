/* Computes in scalar C what the kernel of functions_masked.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i32 bump_lane(i32 v, i32 by, int *toggled)
{
    v = (i32)((u32)v + (u32)by);
    *toggled |= (v & 4) != 0;
    return v & 4 ? (v - 50) ^ 5 : (i32)((u32)v * 3);
}

static void functions_masked(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i32, w, 16, thread * 128 + 64);
    int less[16], some = 0, others = 0, toggled = 0, count = 0, calls = 0, live[16];
    EACH(k, 16) v[k] &= 0xffff, w[k] &= 0xffff;
    EACH(k, 16) less[k] = v[k] < w[k], some |= less[k], others |= !less[k];
    EACH(k, 16) if (less[k]) v[k] = bump_lane(v[k], 7, &toggled) >> 1;
    count += some, calls += toggled, toggled = 0;
    EACH(k, 16) if (!less[k]) w[k] = bump_lane(w[k], 3, &toggled), v[k] ^= 5;
    count += others, calls += toggled + others, toggled = 0;
    EACH(k, 16) w[k] = bump_lane(w[k], count, &toggled);
    count++, calls += toggled;
    EACH(k, 16) live[k] = 1;
    for (int left = 1; left;) {
        left = toggled = 0;
        EACH(k, 16) if (live[k])
        {
            v[k] >>= 1;
            toggled |= v[k] & 1;
            w[k] ^= v[k] & 1 ? 5 : 0;
            live[k] = v[k] > 300;
            left |= live[k];
        }
        calls += toggled;
    }
    EACH(k, 16) w[k] = (i32)((u32)w[k] + (u32)(count * 16 + calls));
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, w);
}

REFERENCE(functions_masked)
