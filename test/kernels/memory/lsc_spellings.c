/* Computes in scalar C what the kernel of lsc_spellings.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void lsc_spellings(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, v, 16, 0);
    u32 upper[16];
    u16 stored[16];
    static const u32 payload[8] = {0x9abcdef0, 0x12345678, 63, 11, 127, 3, ~3u, 1 << 16 | 4 << 8 | 7};
    EACH(k, 16) upper[k] = (u32)v[k] << 16;
    EACH(k, 16) stored[k] = (u16)(v[k] + 1);
    OUT(0, upper);
    OUT(64, stored);
    OUT(96, payload);
}

REFERENCE(lsc_spellings)
