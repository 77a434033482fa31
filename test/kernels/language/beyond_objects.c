/* Computes in scalar C what the kernel of beyond_objects.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void beyond_objects(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, all, 56, 0); /* three matrices of 16, and 8 others */
    all[16 + 15] = all[48];
    EACH(k, 4) all[16 + 12 + k] = all[48 + k];
    all[16 + 2] = all[16 + 3] = 5;
    OUT(0, all);
}

REFERENCE(beyond_objects)
