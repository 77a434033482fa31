/* Computes in scalar C what the kernel of few_rows.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Row 63 gets v between the loops, row 40 three times v more; rows 32 and 8 have what the loops add. */
static void few_rows(const void *in, void *out, unsigned thread)
{
    enum { LANES = 16 };
    (void)thread;
    IN(u32, v, LANES, 0);
    u32 first = 3, second = 0, r[4 * LANES];
    for (u32 i = 0; i < (v[0] & 3) + 2; i++)
        first += i + v[1];
    for (u32 i = 0; i < (v[2] & 3) + 2; i++)
        second += i ^ v[3];
    EACH(k, LANES)
    {
        r[k] = v[k] + second;
        r[LANES + k] = first + 3 * v[k] + second;
        r[2 * LANES + k] = r[3 * LANES + k] = first + second;
    }
    OUT(0, r);
}

REFERENCE(few_rows)
