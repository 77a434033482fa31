/* Computes in scalar C what the kernels of globals.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void globals(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    u16 m[16];
    EACH(k, 16) v[k] &= 0xffff;
    EACH(k, 16) m[k] = (u16)v[k];
    static const int added[5] = {3, 0, 1, 2, 3};
    u32 total = 5;
    EACH(i, 5) EACH(k, 16) v[k] += added[i];
    EACH(i, 5) EACH(k, 8) m[8 + k] += added[i];
    EACH(k, 16) total += v[k];
    v[0] = total;
    EACH(k, 8) v[1 + 2 * k] = (u32)(i32)(i16)m[8 + k];
    v[2] = 5;
    OUT(thread * 64, v);
}

static void globals_initial(const void *in, void *out, unsigned thread)
{
    (void)in;
    u32 row[8]; /* started is 7, times is 3 */
    EACH(k, 8) row[k] = 3 + (k == 7) + 7 * 3;
    OUT(thread * 32, row);
}

static void static_locals(const void *in, void *out, unsigned thread)
{
    (void)in;
    u32 terms[8] = {0}, power = 2;
    for (u32 i = 0; i < 3 + (thread & 1); i++) {
        power *= 3;
        terms[i] = thread + 1 + i + power;
    }
    OUT(thread * 32, terms);
}

REFERENCE(globals)
REFERENCE(globals_initial)
REFERENCE(static_locals)
