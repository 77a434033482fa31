/* Computes in scalar C what the kernels of float_control.cm must write. */
#include <fenv.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Each operation by itself, rounded as fesetround says: volatile keeps them apart and in order. */
static void rounded(const void *in, void *out, int mode)
{
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    IN(int64_t, wide, 16, 128);
    float r[96];
    fesetround(mode);
    EACH(k, 16)
    {
        volatile float x = (float)*(volatile i32 *)&a[k], y = (float)((b[k] & 0xffff) + 1);
        r[k] = x;
        x = x - y;
        r[16 + k] = x;
        y = y * 0.001f;
        r[32 + k] = y;
        x = x * y;
        r[48 + k] = x;
        volatile int64_t from = wide[k] >> (b[k] & 63);
        x = (float)from;
        r[64 + k] = x;
        x = (float)(uint64_t)from;
        r[80 + k] = x;
    }
    fesetround(FE_TONEAREST);
    OUT(0, r);
}

static void rounds_up(const void *in, void *out, unsigned thread)
{
    (void)thread;
    rounded(in, out, FE_UPWARD);
}

static void rounds_down(const void *in, void *out, unsigned thread)
{
    (void)thread;
    rounded(in, out, FE_DOWNWARD);
}

static void rounds_to_zero(const void *in, void *out, unsigned thread)
{
    (void)thread;
    rounded(in, out, FE_TOWARDZERO);
}

static void rounds_to_nearest(const void *in, void *out, unsigned thread)
{
    (void)thread;
    rounded(in, out, FE_TONEAREST);
}

static void keeps_denormals(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    float x[64];
    EACH(k, 64)
    {
        a[k] = (a[k] & 0x807fffff) | 27u << 23;
        memcpy(&x[k], &a[k], 4);
        x[k] *= 9.313225746154785e-10f;
    }
    OUT(0, x);
}

REFERENCE(rounds_up)
REFERENCE(rounds_down)
REFERENCE(rounds_to_zero)
REFERENCE(rounds_to_nearest)
REFERENCE(keeps_denormals)
