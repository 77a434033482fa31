/* Computes in scalar C what the kernel of assembly_signs.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void assembly_signs(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, 0);
    u32 logical[16], arithmetic[16], x = thread + 0xf0000001, rotated = x << 5 | x >> 27;
    EACH(k, 16)
    {
        u32 signs = (a[k] >> 31) && thread ? ~(~0u >> thread) : 0;
        logical[k] = a[k] >> thread;
        arithmetic[k] = (logical[k] | signs) * rotated;
    }
    OUT(thread * 128, logical);
    OUT(thread * 128 + 64, arithmetic);
}

REFERENCE(assembly_signs)
