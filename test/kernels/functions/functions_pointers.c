/* Computes in scalar C what the kernels of functions_pointers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i32 operate(int which, i32 a, i32 b)
{
    return (i32)(which == 1 ? (u32)a - (u32)b : which == 2 ? (u32)(a ^ b) * 3 : (u32)a + (u32)b);
}

static void functions_given(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    v[0] *= v[0];
    v[1] = (v[1] * 2 + 1) * 2 + 1;
    v[2] = v[2] * v[2] - 1;
    v[4] *= v[4];
    v[5] = v[5] * v[5] * v[5] * v[5] - 1;
    OUT(thread * 64, v);
}

static void functions_pointers(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i32, w, 16, thread * 128 + 64);
    int chosen = v[0] & 1 ? 0 : 2, second = w[1] & 3, doubles;
    i32 folded = v[0], other = w[0];
    EACH(k, 15) folded = operate(chosen, folded, v[k + 1]), other = operate(second, other, w[k + 1]);
    EACH(k, 4) w[k] = operate(k, w[k], v[k]);
    doubles = !(w[5] & 1);
    EACH(k, 16)
    {
        i32 x = (v[k] & 31) + 1, steps = 0;
        if (w[k] & 3 && doubles)
            x *= 2, steps = 1;
        else
            for (; x > 1; steps++)
                x = x & 1 ? 3 * x + 1 : x >> 1;
        v[k] = x + 64 * steps;
    }
    w[8] = operate(2, w[8], w[9]);
    w[9] = operate(chosen, w[9], w[10]);
    w[10] = operate(w[10] & 1 ? 2 : chosen, w[10], w[11]);
    w[12] = chosen == 0;
    w[13] = folded;
    w[14] = other;
    w[15] = 2 * doubles;
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, w);
}

REFERENCE(functions_pointers)
REFERENCE(functions_given)
