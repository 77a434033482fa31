/* Computes in scalar C what the kernel of constant_tables.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static const u32 table[16] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
                              0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
                              0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174};

static void step(u32 *v, u32 k)
{
    EACH(i, 16) v[i] = v[i] * table[i] + k + table[k & 15];
    u32 odd = v[3] & 1;
    EACH(i, 16) v[i] ^= odd ? table[i] >> 7 : 0;
    EACH(i, 16)
    {
        u32 place = (u32)(5 * i);
        v[i] = v[i] > table[i] ? (v[i] - (table[i] & 0xffff)) ^ place : v[i] + place;
    }
}

/* Rounds of a loop that reads a table of numbers. */
static void constant_tables(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, 0);
    EACH(i, 16) v[i] += thread;
    for (u32 k = 0; k < 20 + thread; k++)
        step(v, k);
    OUT(thread * 256, v);
    OUT(thread * 256 + 64, table);
    OUT(thread * 256 + 128, v);
    OUT(thread * 256 + 192, v);
}

REFERENCE(constant_tables)
