/* Computes in scalar C what the kernels of traps_later.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Element x of row y of 12 rows of 32 words, 80 bytes apart; 0 outside. */
static u16 word_of(const void *in, int x, int y)
{
    return x < 32 && y < 12 ? get16((const u8 *)in + y * 80 + x * 2) : 0;
}

static void traps_blocks(const void *in, void *out, unsigned thread)
{
    (void)thread;
    u8 *to = out;
    memset(to, 0, 256);
    EACH(r, 3) EACH(c, 6)
    {
        put16(to + r * 16 + c * 2, word_of(in, 30 + c, 10 + r));
        put16(to + 64 + r * 16 + c * 2, word_of(in, 30 + c, 10 + r));
        EACH(b, 2)
        {
            u16 word = word_of(in, 2 + b * 6 + c, 1 + r);
            put16(to + 128 + b * 64 + r * 16 + c * 2, word);
            put16(to + 256 + b * 36 + r * 12 + c * 2, word);
        }
    }
    EACH(r, 8)
    EACH(c, 4) put16(to + 384 + (c / 2 * 16 + r * 2 + c % 2) * 2, word_of(in, 2 + c, 2 + r));
}

static void traps_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *from = in;
    u32 four[64];
    EACH(k, 16) EACH(c, 4) four[c * 16 + k] = get32(from + (15 - k) * 20 + c * 4);
    OUT(0, four);
    EACH(k, 16) EACH(c, 2) put32((u8 *)out + 256 + (c * 16 + k) * 4, four[(15 - k) * 4 + c]);
}

static void traps_products(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int8_t, b, 256, 0); /* dword k holds four rows of column k % 8 */
    IN(int8_t, a, 256, 256);
    i32 three[24] = {0}, mixed[64] = {0};
    EACH(r, 8) EACH(c, 8) EACH(k, 32)
    {
        int factor = b[(k / 4 * 8 + c) * 4 + k % 4];
        if (r < 3)
            three[8 * r + c] += factor * a[32 * r + k];
        mixed[8 * r + c] += factor * (u8)a[32 * r + k];
    }
    OUT(0, three);
    OUT(128, mixed);
}

REFERENCE(traps_blocks)
REFERENCE(traps_lanes)
REFERENCE(traps_products)
