/* Computes in scalar C what the kernel of aligned_blocks.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void aligned_blocks(const void *in, void *out, unsigned thread)
{
    unsigned base = thread * 512;
    const u8 *from = (const u8 *)in + base;
    u8 *to = (u8 *)out + base;
    memcpy(to, from + 4, 20);
    memcpy(to + 20, from + 12, 12);
    memcpy(to + 32, from + 20, 20);
    memcpy(to + 52, from + 28, 12);
    memcpy(to + 64, to, 12);
    memcpy(to + 76, from + 32, 52);
    EACH(k, 16)
    {
        to[128 + 2 * k] = from[3 * k + 1];
        put16(to + 192 + 2 * k, (u16)(get16(from + 64 + 6 * k) + 1));
        put16(to + 320 + 2 * k, get16((const u8 *)in + 1022 - 4 * k));
    }
    EACH(k, 8) put32(to + 256 + 8 * k, get32(from + 128 + 12 * k));
}

REFERENCE(aligned_blocks)
