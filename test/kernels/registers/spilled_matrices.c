/* Computes in scalar C what the kernel of spilled_matrices.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"
#include "test/kernels/registers.h"

/* The same for an older matrix; each iteration takes its rows shifted down by one. */
static void spilled_matrices(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, d, PLACES * PLACES, 0);
    EACH(k, PLACES)
    {
        u16 old[PLACES * PLACES];
        memcpy(old, d, sizeof old);
        EACH(i, PLACES)
        EACH(j, PLACES)
        {
            int way = old[k * PLACES + j] + old[i * PLACES + k], kept = old[(i + k) % PLACES * PLACES + j];
            d[i * PLACES + j] = (u16)(kept < way ? kept : way);
        }
    }
    OUT(0, d);
}

REFERENCE(spilled_matrices)
