/* Computes in scalar C what the kernel of reference_parameters.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Moves eight elements, `step` apart, down by one; the first goes to the end. */
static void rotate8(u32 *v, int step)
{
    u32 first = v[0];
    EACH(k, 7) v[k * step] = v[(k + 1) * step];
    v[7 * step] = first;
}

static void reference_parameters(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    IN(u32, m, 16, 64);
    rotate8(v + 2, 1);
    rotate8(v + 1, 2);
    EACH(k, 4)
    {
        u32 low = v[8 + k];
        v[8 + k] = v[12 + k];
        v[12 + k] = low;
    }
    /* rows 0 and 2 are added into row 3; row 2 then is row 0 less 1 */
    EACH(k, 4) m[12 + k] = m[k] + m[8 + k];
    EACH(k, 4) m[8 + k] = m[k] - 1;
    m[15] = m[12] + m[15];
    OUT(0, v);
    OUT(64, m);
}

REFERENCE(reference_parameters)
