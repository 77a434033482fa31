/* Computes in scalar C what the kernels of vadd.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void vadd(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 64);
    IN(u32, b, 16, 512 + thread * 64);
    EACH(k, 16) a[k] += b[k];
    OUT(thread * 64, a);
}

static void vadd_buffer(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 32, thread * 128);
    IN(u32, b, 32, 512 + thread * 128);
    EACH(k, 32) a[k] += b[k];
    OUT(thread * 128, a);
}

REFERENCE(vadd)
REFERENCE(vadd_buffer)
