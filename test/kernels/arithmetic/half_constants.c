/* Computes in scalar C what the kernel of half_constants.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void half_constants(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    _Float16 result[6][16];
    float quarter[16];
    EACH(k, 16)
    {
        _Float16 power = (_Float16)(1 << (a[k] & 7)), h = (_Float16)(b[k] >> 21);
        result[0][k] = (_Float16)(240.0 / (double)power);
        result[1][k] = (_Float16)((0.0 - (double)h) * (double)power);
        result[2][k] = (_Float16)(0.5 * (double)h);
        result[3][k] = (_Float16)(-(double)h - 3.0);
        result[4][k] = (_Float16)(1.5 * (double)h);
        result[5][k] = (_Float16)(((double)h + 0.0) * (double)power);
        quarter[k] = 0.25f * (float)(b[k] >> 8);
    }
    OUT(0, result);
    OUT(192, quarter);
}

REFERENCE(half_constants)
