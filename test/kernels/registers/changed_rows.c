/* Computes in scalar C what the kernel of changed_rows.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Rows and numbers of a matrix that were read before it was written to, at places known at run time. */
static void changed_rows(const void *in, void *out, unsigned thread)
{
    enum { SIDE = 16 };
    (void)thread;
    IN(u32, m, SIDE * SIDE, 0);
    EACH(k, 24)
    {
        u32 row[SIDE], column[SIDE], a = m[3 * SIDE + 4], b = m[(k & 15) * SIDE + 5];
        EACH(i, SIDE) row[i] = m[(k & 7) * SIDE + i];
        EACH(i, SIDE) column[i] = m[i * SIDE + (5 * k & 15)];
        EACH(i, SIDE)
        {
            m[(k & 7) * SIDE + i] = m[15 * SIDE + i];
            m[15 * SIDE + i] = row[i];
            m[5 * SIDE + i] *= b;
            m[4 * SIDE + i] += a;
            m[(u16)column[2] % SIDE * SIDE + i] ^= column[i];
            m[9 * SIDE + i] -= column[i] >> 1;
        }
    }
    OUT(0, m);
}

REFERENCE(changed_rows)
