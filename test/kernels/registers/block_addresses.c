/* Computes in scalar C what the kernel of block_addresses.cm must write. */
#include <string.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void block_addresses(const void *in, void *out, unsigned thread)
{
    enum { BLOCKS = 27, LANES = 32 };
    u32 block[BLOCKS][LANES], sum = 0;
    memcpy(block, (const char *)in + thread * sizeof block, sizeof block);
    for (int i = 0; i < BLOCKS; i++)
        sum += block[i][i];
    u32 turns = sum & 3;
    for (int i = 0; i < BLOCKS; i++)
        for (int k = 0; k < LANES; k++)
            block[i][k] += turns;
    for (u32 turn = 0; turn < turns; turn++)
        for (int i = 0; i < BLOCKS; i++) {
            u32 other = block[(i + 5) % BLOCKS][7];
            for (int k = 0; k < LANES; k++)
                block[i][k] = block[i][k] * 3 + other;
        }
    memcpy((char *)out + thread * sizeof block, block, sizeof block);
}

REFERENCE(block_addresses)
