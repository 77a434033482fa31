/* Computes in scalar C what the kernel of structure_copies.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void structure_copies(const void *in, void *out, unsigned thread)
{
    (void)thread;
    enum { PARTICLE = 20, PAIR = 6, LETTERS = 7 };
    const u8 *from = in;
    u8 *to = out;
    u32 n, number;
    memcpy(&n, from + 252, 4);
    n &= 3;
    memcpy(to, from + (n + 1) * PARTICLE, PARTICLE);
    memcpy(to + PARTICLE, from + n * PARTICLE, PARTICLE);
    memcpy(&number, to + PARTICLE, 4);
    number += 5;
    memcpy(to + PARTICLE, &number, 4);
    to[PARTICLE + 12 + 4 * (n & 1)] ^= 0xff;

    memcpy(to + 64, from + 128 + (n + 1) * PAIR, PAIR);
    int16_t pair[3];
    memcpy(pair, from + 128 + n * PAIR, PAIR);
    pair[1] = (int16_t)(pair[0] - pair[2]);
    memcpy(to + 64 + PAIR, pair, PAIR);

    memcpy(to + 97, from + 161 + (n + 1) * LETTERS, LETTERS);
    memcpy(to + 97 + LETTERS, from + 161 + n * LETTERS, LETTERS);
    to[97 + LETTERS + n] = 'x';
}

REFERENCE(structure_copies)
