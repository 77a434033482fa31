/* Computes in scalar C what the kernel of partly_initialised.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void partly_initialised(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    u32 w[16];
    EACH(k, 8) w[k] = 14; /* the odd lanes of v + v */
    EACH(k, 8) w[8 + k] = 3;
    if (thread == 0)
        EACH(k, 4) w[8 + 2 * k] = v[2 + 4 * k];
    EACH(k, 4) w[9 + 2 * k] += 24; /* (7 + 5) * 2 */
    OUT(thread * 64, w);
}

REFERENCE(partly_initialised)
