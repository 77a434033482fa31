/* Computes in scalar C what the kernel of long_constants.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void long_constants(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 64);
    i16 whole[16];
    int64_t shifted[16], sums[16];
    uint64_t whole_sums[16];
    EACH(k, 16)
    {
        whole[k] = (i16)((i32)(a[k] & 255) - 1234);
        shifted[k] = -0x123456789abcdefLL >> (a[k] & 63);
        if (__builtin_add_overflow((int64_t)(i32)a[k] * (1LL << 32), -0x123456789abcdefLL * 64, &sums[k]))
            sums[k] = INT64_MIN; /* the constant is negative */
        if (__builtin_add_overflow((uint64_t)a[k] << 32, 0x9123456789abcdefULL, &whole_sums[k]))
            whole_sums[k] = UINT64_MAX;
    }
    OUT(thread * 416, whole);
    OUT(thread * 416 + 32, shifted);
    OUT(thread * 416 + 160, sums);
    OUT(thread * 416 + 288, whole_sums);
}

REFERENCE(long_constants)
