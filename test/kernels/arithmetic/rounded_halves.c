/* Computes in scalar C what the kernel of rounded_halves.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void rounded_halves(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 16, 0);
    i32 r[8][16];
    EACH(k, 16)
    {
        float number = (float)(v[k] >> 28) * 0.125f;
        int once = (int)number, twice = (int)(number * 2);
        r[0][k] = r[2][k] = once == 0;
        r[1][k] = r[3][k] = once > 0;
        r[4][k] = twice == 0;
        r[5][k] = twice > 0;
        r[6][k] = twice < 0;
        r[7][k] = twice >= 0;
    }
    OUT(0, r);
}

REFERENCE(rounded_halves)
