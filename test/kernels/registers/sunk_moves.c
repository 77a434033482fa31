/* Computes in scalar C what the kernel of sunk_moves.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void sunk_moves(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, d, 896, 0);
    u32 moved[896] = {0};
    EACH(j, 4)
    EACH(i, 24)
    EACH(k, 8)
    {
        moved[j * 192 + i * 8 + k] = d[i * 32 + j * 8 + k];
    }
    EACH(k, 128)
    {
        moved[768 + k] = d[768 + k] + 5;
    }
    OUT(0, moved);
}

REFERENCE(sunk_moves)
