/* Computes in scalar C what the kernel of exchanged_lines.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Each row is exchanged with the column of its number, and a number of the column added to the opposite row. */
static void exchanged_lines(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, m, 16 * 16, 0);
    EACH(k, 16)
    {
        u32 row[16], column[16];
        EACH(i, 16) row[i] = m[k * 16 + i];
        EACH(i, 16) column[i] = m[i * 16 + k];
        EACH(i, 16) m[i * 16 + k] = row[i];
        EACH(i, 16) m[k * 16 + i] = column[i];
        EACH(i, 16) m[(15 - k) * 16 + i] += column[k];
    }
    OUT(0, m);
}

REFERENCE(exchanged_lines)
