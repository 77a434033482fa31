/* Computes in scalar C what the kernel of lsc_older.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void lsc_older(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 32, 0);
    u32 result[80];
    EACH(k, 8) result[k] = v[16 + k % 4];
    EACH(k, 8) result[8 + k] = v[16 + k];
    EACH(k, 32) result[16 + k] = v[k] + 1;
    EACH(k, 32) result[48 + k] = v[k] - 1;
    OUT(0, result);
}

REFERENCE(lsc_older)
