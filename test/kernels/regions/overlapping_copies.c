/* Computes in scalar C what the kernel of overlapping_copies.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void overlapping_copies(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    IN(u32, w, 16, 64);
    IN(u16, m, 32, 128);
    u32 old[16];
    u16 before[32];
    memcpy(old, v, sizeof old);
    EACH(k, 12) v[4 + k] = old[k];
    memcpy(old, w, sizeof old);
    EACH(k, 12) w[k] = old[3 + k];
    memcpy(old, w, sizeof old);
    EACH(k, 5) w[3 * k] = old[1 + 2 * k];
    memcpy(before, m, sizeof before);
    EACH(r, 3) EACH(c, 6) m[(1 + r) * 8 + 2 + c] = before[r * 8 + 1 + c];
    memcpy(before, m, sizeof before);
    EACH(r, 2) EACH(c, 4) m[2 * r * 8 + 2 * c] = (u16)(before[(1 + 2 * r) * 8 + 1 + 2 * c] + before[r * 8 + 3 + c]);
    OUT(0, v);
    OUT(64, w);
    OUT(128, m);
}

REFERENCE(overlapping_copies)
