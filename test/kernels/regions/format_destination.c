/* Computes in scalar C what the kernel of format_destination.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void format_destination(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, v, 64, 0);
    IN(u8, m, 64, 64);
    u8 copy[64];
    EACH(k, 16) v[1 + 4 * k] = 0xab;
    EACH(k, 8) put16(v + 32 + 2 * k, get16(v + 32 + 2 * k) + 1);
    memcpy(copy, v, sizeof copy);
    EACH(r, 2) EACH(c, 4) v[(2 + r) * 16 + 3 + 4 * c] = copy[2 * (r * 4 + c)];
    EACH(k, 4) put32(m + 16 + 4 * k, 0x01020304);
    /* rows 2 and 3, bytes 4 to 11, as two rows of four words: the second word of each */
    EACH(r, 2) put16(m + (2 + r) * 16 + 4 + 2, 0xbeef);
    put32(m + 8, get32(v + 20));
    memcpy(copy, v, sizeof copy);
    EACH(k, 4) v[32 + 4 * k] = copy[3 + 4 * k];
    OUT(0, v);
    OUT(64, m);
}

REFERENCE(format_destination)
