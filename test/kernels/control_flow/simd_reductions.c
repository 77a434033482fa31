/* Computes in scalar C what the kernel of simd_reductions.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_reductions(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, other, 8, 64);
    u32 r[16] = {0, 0, 0x7fffffff, 0x80000000, 0, 0x80000000};
    int any_positive = 0, any_odd = 0, any_rest = 0;
    EACH(k, 8) r[4] += (u32)other[k];
    EACH(k, 16)
    {
        r[6] += (u32)a[k];
        if (a[k] <= 0) {
            r[5] = a[k] > (i32)r[5] ? (u32)a[k] : r[5];
            any_rest = 1;
            continue;
        }
        r[0] += (u32)a[k];
        r[1] = (any_positive ? r[1] : 1) * ((u32)a[k] | 1);
        r[2] = a[k] < (i32)r[2] ? (u32)a[k] : r[2];
        any_positive = 1;
        if (a[k] & 1) {
            r[3] = a[k] > (i32)r[3] ? (u32)a[k] : r[3];
            any_odd = 1;
        }
    }
    r[2] = any_positive ? r[2] : 0;
    r[3] = any_odd ? r[3] : 0;
    r[4] = any_positive ? r[4] : 0;
    r[5] = any_rest ? r[5] : 0;
    OUT(0, r);
}

REFERENCE(simd_reductions)
