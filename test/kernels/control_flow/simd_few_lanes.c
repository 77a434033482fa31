/* Computes in scalar C what the kernel of simd_few_lanes.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_few_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, wide, 16, 0);
    IN(i32, two, 2, 64);
    IN(i32, four, 4, 80);
    (void)two; /* all lanes of two and four are at most 15: no lane goes the other way */
    i32 result[16] = {0, 1 + 16, 1, 0};
    EACH(k, 16) wide[k] += wide[k] != 12345;
    EACH(k, 8) result[8 + k] = wide[k] != 12345 ? wide[8 + k] : 0;
    EACH(k, 4)
    {
        four[k] &= 15;
        result[3] = 16 - four[k] > result[3] ? 16 - four[k] : result[3];
        result[4 + k] = 16;
    }
    OUT(0, result);
}

REFERENCE(simd_few_lanes)
