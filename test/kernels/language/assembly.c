/* Computes in scalar C what the kernel of assembly.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Does what the vISA text does, instruction by instruction. */
static void assembly(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    u32 r[16] = {0}, chosen[16];
    float g[16];
    EACH(k, 16)
    {
        int difference = (i32)(a[k] - b[k]);
        chosen[k] = (i32)a[k] > (i32)b[k] ? (u32)difference : (u32)-5;
        g[k] = fmaf((float)difference, 1.5f, 0.25f);
    }
    EACH(turn, (int)thread + 1)
    {
        EACH(k, 8) r[k] += chosen[4 + k];
        EACH(k, 8) r[8 + k] += 1;
    }
    OUT(thread * 128, r);
    OUT(thread * 128 + 64, g);
}

REFERENCE(assembly)
