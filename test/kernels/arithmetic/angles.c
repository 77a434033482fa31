/* Computes in scalar C what the kernel of angles.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void angles(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(i32, j, 16, thread * 128 + 64);
    float row[7][16];
    EACH(k, 16)
    {
        double a = (double)((float)i[k] * 0x1p-31f), b = (double)((float)j[k] * 0x1p-27f);
        row[0][k] = (float)asin(a);
        row[1][k] = (float)acos(a);
        row[2][k] = (float)atan(b);
        row[3][k] = (float)sin(a);
        row[4][k] = (float)cos(a);
        row[5][k] = (float)(exp2(a) + log2(fabs(b) + 1));
        row[6][k] = (float)(1 / (a + 2) + sqrt(fabs(b)) + 1 / sqrt(a + 2) + pow(a + 2, 1.5));
    }
    OUT(thread * 448, row);
}

REFERENCE(angles)
