/* Computes in scalar C what the kernel of undefined_quotients.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i32 quotient(i32 x, i32 y)
{
    if (y == 0)
        return x < 0 ? INT32_MIN : INT32_MAX;
    return y == -1 ? (i32)(0 - (u32)x) : x / y;
}

static void undefined_quotients(const void *in, void *out, unsigned thread)
{
    IN(i32, x, 16, thread * 128);
    IN(i32, y, 16, thread * 128 + 64);
    IN(u32, u, 16, thread * 128);
    i32 r[3][16];
    EACH(k, 16)
    {
        i32 divisor = y[k] & 1 ? 0 : (y[k] & 3) == 2 ? -1 : y[k];
        x[k] = (y[k] & 15) == 2 ? INT32_MIN : x[k];
        r[0][k] = r[2][k] = quotient(x[k], divisor);
        r[1][k] = (i32)(divisor ? u[k] / (u32)divisor : UINT32_MAX);
    }
    OUT(thread * 192, r);
}

REFERENCE(undefined_quotients)
