/* Computes in scalar C what the kernel of undefined_operands.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static int64_t nearest(float f, int64_t least, int64_t greatest)
{
    if (f != f)
        return 0;
    return f <= (float)least ? least : f >= (float)greatest ? greatest : (int64_t)f;
}

static void undefined_operands(const void *in, void *out, unsigned thread)
{
    IN(i32, x, 16, thread * 128);
    IN(u32, u, 16, thread * 128);
    IN(i32, y, 16, thread * 128 + 64);
    i32 r[6][16];
    float f[16];
    memcpy(f, x, sizeof f);
    EACH(k, 16)
    {
        unsigned count = (u32)y[k] & 31;
        r[0][k] = r[5][k] = (i32)((u32)x[k] << count);
        r[1][k] = x[k] >> count;
        r[2][k] = (i32)(u[k] >> count);
        r[3][k] = (i32)nearest(f[k], INT32_MIN, INT32_MAX);
        r[4][k] = (i32)(u32)nearest(f[k], 0, UINT32_MAX);
    }
    OUT(thread * 384, r);
}

REFERENCE(undefined_operands)
