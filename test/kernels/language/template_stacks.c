/* Computes in scalar C what the kernels of template_stacks.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* A lane's stacks: one top for all of them. */
static void use_stacks(u32 data, int stacks, u32 result[4])
{
    u32 stack[2][64], sum = 0;
    int height = 0;
    for (u32 i = 0; i < 45; i++, height++)
        EACH(s, stacks) stack[s][height] = data * (u32)(s + 1) + i;
    EACH(i, 30)
    {
        sum = sum * 3 + stack[0][height - 1] + stack[stacks - 1][height - 1];
        height -= (int)(data & 1);
    }
    result[0] = stack[stacks - 1][height - 1];
    result[1] = sum;
    result[2] = height - 15 <= 0;
    result[3] = 1;
}

static void cached_stacks(const void *in, void *out, unsigned thread)
{
    IN(u32, data, 8, 8192 + thread * 32);
    u32 result[64];
    EACH(k, 8) EACH(stacks, 2)
    {
        u32 lane[4];
        use_stacks(data[k], stacks + 1, lane);
        EACH(r, 4) result[32 * stacks + 8 * r + k] = lane[r];
    }
    OUT(thread * 256, result);
}

static void neighbourhoods(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, bytes, 128, 0);
    IN(u32, pixels, 64, 128);
    u16 all[9][16];
    u32 channels[64];
    EACH(n, 9) EACH(k, 16) all[n][k] = (u16)(bytes[n / 3 * 18 + n % 3 + k] + (n == 5));
    OUT(0, pixels);
    memcpy((u8 *)out + 256, all, 256);
    EACH(n, 2) EACH(k, 16) all[n][k] = bytes[60 + 2 * n + k];
    memcpy((u8 *)out + 512, all, 64);
    EACH(k, 64) channels[k] = pixels[k % 16 * 4 + k / 16];
    OUT(576, channels);
    OUT(832, pixels);
}

static void full_angles(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, y, 16, 0);
    IN(i32, x, 16, 64);
    float angle[16];
    EACH(k, 16)
    {
        double a = atan2(y[k] >> 16, x[k] >> 16);
        angle[k] = (float)(a < 0 ? a + 2 * acos(-1) : a);
    }
    OUT(0, angle);
}

REFERENCE(cached_stacks)
REFERENCE(neighbourhoods)
REFERENCE(full_angles)
