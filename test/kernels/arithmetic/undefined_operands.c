/* Computes in scalar C what the kernel of undefined_operands.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i32 quotient(i32 x, i32 y)
{
    if (y == 0)
        return x < 0 ? INT32_MIN : INT32_MAX;
    return y == -1 ? (i32)(0 - (u32)x) : x / y;
}

static int64_t nearest(float f, int64_t least, int64_t greatest)
{
    if (f != f)
        return 0;
    return f <= (float)least ? least : f >= (float)greatest ? greatest : (int64_t)f;
}

static void undefined_operands(const void *in, void *out, unsigned thread)
{
    IN(i32, x, 16, thread * 128);
    IN(i32, y, 16, thread * 128 + 64);
    i32 r[8][16];
    float f[16];
    memcpy(f, x, sizeof f);
    EACH(k, 16)
    {
        i32 divisor = y[k] & 1 ? 0 : (y[k] & 3) == 2 ? -1 : y[k];
        unsigned count = (u32)y[k] & 31;
        x[k] = (y[k] & 15) == 2 ? INT32_MIN : x[k];
        r[0][k] = (i32)((u32)x[k] << count);
        r[1][k] = x[k] >> count;
        r[3][k] = quotient(x[k], divisor);
        r[5][k] = (i32)nearest(f[k], INT32_MIN, INT32_MAX);
        r[6][k] = (i32)(u32)nearest(f[k], 0, UINT32_MAX);
        r[7][k] = (i32)((u32)r[3][k] + (u32)r[0][k]);
    }
    IN(u32, u, 16, thread * 128); /* before some became the least number */
    EACH(k, 16)
    {
        u32 divisor = (u32)(y[k] & 1 ? 0 : (y[k] & 3) == 2 ? -1 : y[k]);
        r[2][k] = (i32)(u[k] >> (y[k] & 31));
        r[4][k] = (i32)(divisor ? u[k] / divisor : UINT32_MAX);
    }
    OUT(thread * 512, r);
}

REFERENCE(undefined_operands)
