/* Computes in scalar C what the kernel of values_in_loops.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void values_in_loops(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, d, 2080, 0);
    u32 all[2048] = {0};
    u32 count = (d[0] >> 31) + 7;
    EACH(i, 8)
    {
        u32 groups = ((u32)i < count ? d[5] >> 2 * i & 3 : 3) + 1, first = d[groups] & 7, m[8][32];
        EACH(r, 8)
        EACH(c, 32)
        {
            m[r][c] = (u32)c / 8 < groups ? d[32 + i * 256 + c / 8 * 64 + r * 8 + c % 8] * (groups + 2) : groups;
        }
        for (u32 k = first; k < 8; k++)
            EACH(r, 8)
            {
                m[r][groups * 8 - 8 + k] = m[r][3];
            }
        EACH(r, 8)
        EACH(c, 32)
        {
            all[i * 256 + r * 32 + c] = m[r][c];
        }
    }
    OUT(0, all);
}

REFERENCE(values_in_loops)
