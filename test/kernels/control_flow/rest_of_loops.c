/* Computes in scalar C what the kernel of rest_of_loops.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Two loops, each over all rows of a matrix, by one row and one column of it. */
static void rest_of_loops(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i16, a, 32 * 8, 0);
    IN(u32, b, 8 * 64, 512);
    IN(u32, c, 64, 2560);
    int place = a[0] & 31;
    EACH(k, 6)
    {
        i16 row[8], column[32];
        EACH(i, 8) row[i] = a[place * 8 + i];
        EACH(j, 32) column[j] = a[j * 8 + 1];
        EACH(j, 32)
        EACH(i, 8)
        {
            int sum = row[i] + column[j];
            a[j * 8 + i] = (i16)(a[j * 8 + i] > sum ? a[j * 8 + i] : sum);
        }
    }
    EACH(k, 5)
    {
        u32 row[64], column[8];
        EACH(i, 64) row[i] = b[k * 64 + i];
        EACH(j, 8) column[j] = b[j * 64 + k];
        EACH(j, 8)
        EACH(i, 64) b[j * 64 + i] ^= row[i] ^ column[j] ^ c[k & 7];
    }
    OUT(0, a);
    OUT(512, b);
}

REFERENCE(rest_of_loops)
