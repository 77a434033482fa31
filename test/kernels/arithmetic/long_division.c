/* Computes in scalar C what the kernel of long_division.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void long_division(const void *in, void *out, unsigned thread)
{
    (void)thread;
    uint64_t x[16], y[16], r[128];
    memcpy(x, in, sizeof x);
    memcpy(y, (const u8 *)in + 128, sizeof y);
    EACH(k, 8)
    {
        r[80 + k] = x[k] / (x[8 + k] >> 17 | 1);
        r[88 + k] = (uint64_t)((int64_t)x[k] % ((int64_t)x[8 + k] >> 9 | 1));
    }
    EACH(k, 16)
    {
        y[k] = y[k] >> 4 * k | 1;
        int64_t a = (int64_t)x[k], b = k % 2 ? (int64_t)y[k] : (int64_t)(0 - y[k]);
        r[k] = x[k] / y[k];
        r[16 + k] = x[k] % y[k];
        r[32 + k] = b == -1 ? 0 - x[k] : (uint64_t)(a / b);
        r[48 + k] = b == -1 ? 0 : (uint64_t)(a % b);
        r[64 + k] = x[k] / 1000003;
        y[k] = x[k] < y[k] ? y[k] / 7 : y[k] % 1000;
        r[96 + k] = y[k];
        r[112 + k] = (x[k] >> 33) / ((y[k] & 0xffff) + 1);
    }
    OUT(0, r);
}

REFERENCE(long_division)
