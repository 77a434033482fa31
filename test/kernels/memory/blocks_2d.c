/* Computes in scalar C what the kernel of blocks_2d.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* An element of a matrix of 30 rows of 100 bytes that are 128 bytes apart; 0 outside. */
static u32 element_of(const void *in, int bytes, int x, int y)
{
    u32 value = 0;
    if (x >= 0 && y >= 0 && y < 30 && (x + 1) * bytes <= 100)
        memcpy(&value, (const u8 *)in + y * 128 + x * bytes, (size_t)bytes);
    return value;
}

static void blocks_2d(const void *in, void *out, unsigned thread)
{
    u8 *to = out;
    (void)thread;
    memset(to + 256, 0, 256);
    memset(to + 1024, 0, 192);
    memset(to + 2048, 0, 512);
    memset(to + 3072, 0, 128);
    EACH(r, 8) EACH(c, 12)
    {
        put16(to + (r * 12 + c) * 2, (u16)element_of(in, 2, 2 + c, 5 + r));
        put16(to + 256 + (r * 16 + c) * 2, (u16)element_of(in, 2, 44 + c, r - 2));
    }
    EACH(b, 2)
    EACH(r, 4) EACH(c, 8) put32(to + 512 + (b * 32 + r * 8 + c) * 4, element_of(in, 4, 2 + b * 8 + c, 27 + r));
    EACH(r, 6) EACH(c, 5) put32(to + 1024 + (c * 8 + r) * 4, element_of(in, 4, 1 + c, 3 + r));
    EACH(b, 2)
    EACH(r, 8)
    EACH(c, 16)
    put16(to + 2048 + (b * 128 + r / 2 * 32 + c * 2 + r % 2) * 2, (u16)element_of(in, 2, 6 + b * 16 + c, 8 + r));
    EACH(r, 3) EACH(c, 20) to[3072 + r * 32 + c] = (u8)element_of(in, 1, 88 + c, 1 + r);
    EACH(r, 4)
    EACH(c, 6)
    if (12 + c < 17 && 17 + r < 20)
        put32(to + 4096 + (17 + r) * 72 + (12 + c) * 4, (u32)(r * 8 + c) * 3 + 1);
    EACH(r, 2) EACH(c, 4) put32(to + 4096 + (1 + r) * 72 + (1 + c) * 4, (u32)(r * 4 + c) * 3 + 1);
}

REFERENCE(blocks_2d)
