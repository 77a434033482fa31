/* Computes in scalar C what the kernels of library.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void library(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, i, 16, 0);
    IN(i32, j, 16, 64);
    float row[6][16];
    EACH(k, 16)
    {
        float y = (float)i[k] * 0x1p-24f, x = (float)(j[k] >> 8) * 0x1p-16f;
        y = k == 3 || k == 4 ? 0 : y;
        x = k == 3 || k == 7 ? 0 : x;
        row[0][k] = floorf(y);
        row[1][k] = ceilf(x);
        row[2][k] = (float)atan2(y, x);
        row[3][k] = (float)atan2(2, x);
        row[4][k] = fminf(fmaxf(row[2][k], 0), 1);
        row[5][k] = y < 0 ? 1 : fminf((float)atan2(y * 0.125f, x), 1);
    }
    OUT(0, row);
}

static void library_forms(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 64);
    u16 sum[16];
    EACH(k, 16)
    {
        float x = (float)(a[k] >> 24) * 0.375f;
        sum[k] = (u16)((u8)rintf(x) + (u8)ceilf(x));
    }
    OUT(thread * 64, sum);
}

REFERENCE(library)
REFERENCE(library_forms)
