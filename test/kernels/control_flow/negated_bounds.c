/* Computes in scalar C what the kernel of negated_bounds.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void negated_bounds(const void *in, void *out, unsigned thread)
{
    IN(u32, words, 4, thread * 16);
    int lanes = 40 - (int)(words[0] & 63);
    for (int lane = 0; lane < 16; lane++)
        put32((u8 *)out + thread * 64 + 4 * lane, lane < lanes ? UINT32_MAX : thread);
}

REFERENCE(negated_bounds)
