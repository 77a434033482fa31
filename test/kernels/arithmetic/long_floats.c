/* Computes in scalar C what the kernel of long_floats.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Converts a float with saturation. */
static int64_t clamped_long(double x)
{
    return x >= 0x1p63 ? INT64_MAX : x <= -0x1p63 ? INT64_MIN : (int64_t)x;
}

static uint64_t clamped_unsigned_long(double x)
{
    return x >= 0x1p64 ? UINT64_MAX : x <= 0 ? 0 : (uint64_t)x;
}

static void long_floats(const void *in, void *out, unsigned thread)
{
    (void)thread;
    uint64_t u[16], tie[16], plain[16], positive[16], most[16], of_halves[16], scalars[4] = {0};
    int64_t i[16], whole[16], clamped[16], of_half[16];
    float of_u[16], of_i[16], of_tie[16], of_minus[16];
    _Float16 half_u[16], half_i[16], half_saturated[16];
    memcpy(u, in, sizeof u);
    memcpy(i, (const u8 *)in + 128, sizeof i);
    EACH(k, 16)
    {
        tie[k] = ((((u32)u[k] & 0xffffff) << 1 | 0x1000001ull) << (2 * k + 1)) + (uint64_t)(k % 3) - 1;
        u[k] >>= 4 * k;
        i[k] >>= 60 - 4 * k;
        of_u[k] = (float)u[k];
        of_i[k] = (float)i[k];
        of_tie[k] = (float)tie[k];
        of_minus[k] = (float)-(int64_t)tie[k];
        half_u[k] = (_Float16)u[k];
        half_i[k] = (_Float16)(i[k] >> 48);
        half_saturated[k] = (_Float16)(i[k] > 0);
        whole[k] = (int64_t)(of_minus[k] * 1.25f);
        clamped[k] = clamped_long((double)(of_i[k] * 8.0f));
        of_half[k] = (int64_t)(_Float16)(half_i[k] * (_Float16)0.75f);
        plain[k] = (uint64_t)(of_tie[k] * 0.3f);
        positive[k] = clamped_unsigned_long((double)of_minus[k]);
        most[k] = clamped_unsigned_long((double)(of_u[k] * 3.0f));
        of_halves[k] = clamped_unsigned_long((double)half_u[k]);
    }
    OUT(0, of_u);
    OUT(64, of_i);
    OUT(128, of_tie);
    OUT(192, of_minus);
    OUT(256, half_u);
    OUT(288, half_i);
    OUT(320, half_saturated);
    OUT(384, whole);
    OUT(512, clamped);
    OUT(640, of_half);
    OUT(768, plain);
    OUT(896, positive);
    OUT(1024, most);
    OUT(1152, of_halves);
    float pair[2] = {of_u[1] + 1, of_i[14]};
    scalars[0] = (uint64_t)of_u[0];
    scalars[1] = (uint64_t)(int64_t)of_minus[5];
    memcpy(&scalars[2], pair, sizeof pair);
    scalars[3] = (uint64_t)fabsf(of_i[14]);
    OUT(1280, scalars);
    EACH(k, 16)
    {
        if (i[k] > 0)
            of_i[k] = of_tie[k] + 1.0f;
        whole[k] = i[k] > 0 ? (int64_t)(of_u[k] * 0.1f) : (int64_t)(of_minus[k] * -0.1f);
    }
    OUT(1344, of_i);
    OUT(1408, whole);
}

REFERENCE(long_floats)
