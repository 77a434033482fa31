/* Computes in scalar C what the kernels of inference.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void inference_types(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, u, 16, 0);
    IN(u8, bytes, 16, 64);
    u32 result[64] = {0};
    EACH(k, 16) result[k] = u[k] + 1 + 3 + 2 * (u32)k;
    EACH(k, 16) result[16 + k] = bytes[k];
    EACH(k, 16) result[32 + k] = 5 + result[0];
    result[33] = result[34] = 2; /* two blocks of four columns on a part with eight */
    result[35] = 0;
    OUT(0, result);
}

static void inference_flat(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *from = in;
    u8 *to = out;
    EACH(k, 32) put16(to + 62 - 2 * k, 62 - 2 * k < 8 ? 7 : get16(from + 62 - 2 * k));
    EACH(k, 32)
    if (62 - 2 * k < 40)
        put32(to + 64 + 4 * k, get32(from + 64 + 124 - 4 * k));
}

REFERENCE(inference_types)
REFERENCE(inference_flat)
