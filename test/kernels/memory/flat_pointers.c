/* Computes in scalar C what the kernel of flat_pointers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void flat_pointers(const void *in, void *out, unsigned thread)
{
    u8 *to = (u8 *)out + 256 * thread;
    const u8 *from = (const u8 *)in + 256 * thread;
    EACH(k, 16) put32(to + 4 * k, get32(from + 4 * k) + (k < 8 ? (u32)(i16)get16(from + 68 + 16 + 2 * k) : 0));
    EACH(k, 16)
    {
        put16(to + 64 + 6 * k, get16(from + 6 * k));
        to[64 + 6 * k + 3] = from[6 * k + 1];
    }
    EACH(k, 8)
    {
        put32(to + 192 + 8 * k, get32(from + 128 + 8 * k));
        put32(to + 196 + 8 * k, get32(from + 132 + 8 * k));
    }
}

REFERENCE(flat_pointers)
