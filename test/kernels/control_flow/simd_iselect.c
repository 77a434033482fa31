/* Computes in scalar C what the kernel of simd_iselect.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_iselect(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 16, 0);
    IN(i32, raw, 16, 64);
    i32 old[16], found[16], steps[16] = {0};
    u16 place[16], next[16];
    EACH(k, 16)
    {
        place[k] = (u16)(raw[k] & 0x10000 ? raw[k] & 15 : raw[k]);
        next[k] = (u16)(v[k] & 0x70000 ? v[k] & 15 : v[k]);
        old[k] = v[k];
    }
    EACH(k, 16)
    {
        if (place[k] >= 16)
            continue;
        found[k] = (i32)((u32)old[place[k]] + 1);
        v[k] = old[place[k]];
    }
    memcpy(old, v, sizeof old);
    EACH(k, 16) if (place[k] >= 16) v[k] = old[place[k] & 7];
    EACH(k, 16) if (place[k] >= 16) found[k] = (v[place[k] & 7] < 5) * 3 + (place[k] & 7);
    EACH(k, 16)
    {
        u16 at = place[k] & 15;
        do {
            at = next[at];
            steps[k] += at < 16 && v[at] < 0 ? 101 : 1;
        } while (at < 16 && steps[k] < 2000);
    }
    OUT(0, v);
    OUT(64, found);
    OUT(128, steps);
}

REFERENCE(simd_iselect)
