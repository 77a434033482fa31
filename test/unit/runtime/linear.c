/* Compares the linear filter's integer reference with float arithmetic, for every sum of nine bytes. */
#include "benchmarks/linear/reference.h"
#include "test/unit/sim_kernel/check.h"

#include <math.h>
#include <string.h>

/* As the sampler, the additions and the image write do it, in the worst case: all nine parts differ. */
static float normalised_sum(unsigned sum)
{
    float total = 0;
    for (unsigned i = 0; i < 9; i++) {
        unsigned part = i < 8 ? (sum * (i + 1) / 9 - sum * i / 9) : sum - sum * 8 / 9;
        total += (float)part / 255.0f;
    }
    return total;
}

int main(void)
{
    for (unsigned sum = 0; sum <= 9 * 255; sum++) {
        CHECK_EQUAL(linear_mean_cm(sum), (unsigned char)((float)sum * 0.1111f));
        CHECK_EQUAL(linear_mean_cl(sum), (unsigned)lrintf(normalised_sum(sum) * 0.1111f * 255.0f));
    }
    unsigned char samples[] = {0, 0, 0, 90, 0, 0, 9, 0, 255};
    struct pixels picture = {3, 1, 3, samples}, padded;
    CHECK_EQUAL(linear_sum(&picture, 0, 0, 0), 3 * (0 + 0 + 90));
    CHECK_EQUAL(linear_sum(&picture, 2, 0, 0), 3 * (90 + 9 + 9));
    CHECK_EQUAL(linear_sum(&picture, 2, 0, 2), 3 * (0 + 255 + 255));
    CHECK_EQUAL(linear_pad(&picture, &padded), 0);
    CHECK(padded.width == 12 && padded.height == 8);
    CHECK(memcmp(padded.samples, "\0\0\0\0\0\0\132\0\0\11\0\377\11\0\377", 15) == 0);
    CHECK(memcmp(padded.samples + 7 * 36, padded.samples, 36) == 0);
    free(padded.samples);
    return 0;
}
