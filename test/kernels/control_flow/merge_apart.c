/* Computes in scalar C what the kernel of merge_apart.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void merge_apart(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, m, 128, 0);
    IN(i32, n, 16, 128);
    int i = n[0] & 1, j = n[1] & 1;
    u16 from[12], other[12];
    EACH(k, 12) from[k] = get16(m + 16 * (i + k / 3 * 2) + 4 * (j + k % 3));
    EACH(k, 12) if (n[2] >> k & 1) put16(m + 2 * (7 + 5 * k), from[k]);
    EACH(k, 10) from[k] = get16(m + 16 * j + 4 * (i + k % 2 * 2));
    EACH(k, 10) other[k] = get16(m + 4 * (i + 3 * k));
    EACH(k, 10) put16(m + 2 * (2 + 6 * k), n[3] >> k & 1 ? from[k] : other[k]);
    OUT(0, m);
    u8 bytes[9];
    u8 chosen[9];
    EACH(k, 9) bytes[k] = (u8)n[i + 4 + k];
    EACH(k, 9) chosen[k] = n[7 + k] > n[4];
    EACH(k, 9) if (chosen[k]) memcpy((u8 *)n + 4 * k + 2, &bytes[k], 1);
    OUT(128, n);
}

REFERENCE(merge_apart)
