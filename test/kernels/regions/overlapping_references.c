/* Computes in scalar C what the kernel of overlapping_references.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void overlapping_references(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    u32 old[16], w[16];
    memcpy(old, v, sizeof old);
    EACH(k, 8) v[k] = old[k] + old[4 + k];
    memcpy(old, v, sizeof old);
    EACH(k, 8) v[4 + k] = old[4 + k] - old[k];
    memcpy(old, v, sizeof old);
    EACH(k, 8) v[2 * k] = old[k] ^ old[4 + k];
    v[3] = v[4] + 1;
    OUT(0, v);
    EACH(k, 8) w[k] = v[k];
    EACH(k, 8) w[8 + k] = v[2 * k];
    OUT(64, w);
}

REFERENCE(overlapping_references)
