/* Computes in scalar C what the kernel of scalar_shifts.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void scalar_shifts(const void *in, void *out, unsigned thread)
{
    IN(u16, u, 64, 0);
    IN(i16, s, 64, 128);
    u16 left[64], right[64], both[64];
    i16 signs[64];
    EACH(k, 64)
    {
        u32 shifted = (u32)u[k] << thread;
        left[k] = (u16)shifted;
        right[k] = (u16)(u[k] >> thread);
        signs[k] = (i16)(s[k] >> thread);
        both[k] = (u16)((u32)((i32)shifted >> (thread & 15)) + ((u32)s[k] << (thread >> 1)));
    }
    OUT(thread * 512, left);
    OUT(thread * 512 + 128, right);
    OUT(thread * 512 + 256, signs);
    OUT(thread * 512 + 384, both);
}

REFERENCE(scalar_shifts)
