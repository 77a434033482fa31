/* Computes in scalar C what the kernel of odd_sizes.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void odd_sizes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    i32 r[16] = {0};
    EACH(k, 7) r[k] = a[2 * k] > b[3 + k] ? a[2 * k] : b[3 + k];
    EACH(k, 3) r[8 + k] = a[1 + k] > 0 ? b[2 + k] : a[1 + k];
    u32 sum = 0;
    EACH(k, 16) sum = a[k] & 1 ? sum + (u32)b[k] : sum ^ (u32)a[k];
    r[11] = (i32)sum;
    static const i32 chosen[] = {10, 20, 40, 40};
    r[12] = chosen[a[0] & 3];
    r[13] = a[b[1] & 15];
    i32 taken[4];
    EACH(k, 4) taken[k] = b[(a[3] & 7) + 2 * k];
    int at = b[2] & 7;
    EACH(k, 4) a[at + k] = taken[k];
    r[14] = (i32)((u32)a[3] + (u32)a[7]);
    OUT(0, r);
    OUT(64, a);
}

REFERENCE(odd_sizes)
