/* Computes in scalar C what the kernel of scattered_reads.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void scattered_reads(const void *in, void *out, unsigned thread)
{
    unsigned from = thread * 256, to = thread * 512;
    IN(u16, words, 32, from);
    u16 low[32];
    EACH(k, 32) low[k] = (words[k] > words[k ^ 1]) != ((k & 2) != 0) ? words[k ^ 1] : words[k];
    OUT(to, low);

    IN(u8, bytes, 64, from + 64);
    u8 reversed[64];
    EACH(k, 64) reversed[k] = bytes[k ^ 3];
    EACH(k, 64) reversed[k] = (u8)(reversed[k] + (reversed[k] ^ bytes[k]));
    OUT(to + 64, reversed);

    IN(i32, v, 32, from + 128);
    i32 r[32], all = 1, first[8];
    EACH(k, 32) v[k] &= 3;
    EACH(k, 32) r[k] = ((2 * v[k] + 8) * v[k] + 13) * v[k] + 2;
    i32 sum = (u16)(v[5] * r[5]) + (u16)(v[31] * r[31]);
    EACH(k, 32) all &= v[k] > 0;
    EACH(k, 32) r[k] = all || words[3] > 30000 ? -(r[k] + sum) : r[k] + sum;
    EACH(k, 8) first[k] = 6 * r[k];
    EACH(k, 8) r[k] = 3 * r[k];
    OUT(to + 128, r);
    OUT(to + 256, first);
}

REFERENCE(scattered_reads)
