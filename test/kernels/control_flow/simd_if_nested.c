/* Computes in scalar C what the kernel of simd_if_nested.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_if_nested(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 16, 0);
    IN(i32, w, 16, 64);
    i32 m[32] = {0};
    int bits = w[0] & 1;
    EACH(k, 16)
    {
        int row = k / 4, column = k % 4;
        if (v[k] & 1) {
            if (v[k] & 2) {
                w[k] = 10;
                w[k] += bits ? 1 : 2;
            } else {
                w[k] = 20;
                m[row * 8 + 1 + 2 * column] = v[k];
            }
            w[k] += 100;
        } else if (v[k] & 4) {
            w[k] = 30;
        } else if (v[k] & 8) {
            if (v[k] > 0)
                w[k] = 40;
            w[k] = (i32)((u32)w[k] + 1);
        }
    }
    /* the last arm runs after the others */
    EACH(k, 16)
    if (!(v[k] & 13)) { /* no condition looks at bit 1 alone */
        w[k] = 50;
        m[k / 4 * 8 + 4 + k % 4] = 50;
    }
    OUT(0, w);
    OUT(64, m);
}

REFERENCE(simd_if_nested)
