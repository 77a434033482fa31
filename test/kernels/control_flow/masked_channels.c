/* Computes in scalar C what the kernel of masked_channels.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void masked_channels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, memory, 128, 0);
    u32 x[32], v[64], to[64] = {0}, w[32], shared[64] = {0}, read[64];
    memcpy(x, memory, sizeof x);
    EACH(k, 32) EACH(c, 2)
    {
        v[32 * c + k] = x[k] & 1 ? memory[(k * 5 & 31) * 2 + c] : 9;
        if (x[k] & 1)
            to[2 * k + c] = v[32 * c + k];
    }
    EACH(k, 32) x[k] += x[k] & 1 ? 0 : 2;
    EACH(k, 32) w[k] = x[k] & 2 ? memory[k * 5 & 31] : 3;
    EACH(k, 32) EACH(c, 2) shared[2 * k + c] = x[k] & 4 ? v[32 * c + k] + 1 : 0;
    EACH(k, 32) EACH(c, 2) read[32 * c + k] = x[k] & 2 ? shared[2 * k + c] : 7;
    OUT(0, v);
    OUT(256, to);
    OUT(512, w);
    OUT(640, read);
    EACH(k, 32) w[k] = x[k] > 0x80000000 ? x[k] : w[k];
    OUT(896, w);
}

REFERENCE(masked_channels)
