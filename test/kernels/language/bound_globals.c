/* Computes in scalar C what the kernel of bound_globals.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void bound_globals(const void *in, void *out, unsigned thread)
{
    IN(u32, table, 16, thread * 64);
    u32 r[16] = {5, 5, 5, 0};
    u32 count = 5;
    EACH(i, 3)
    {
        count += thread + (u32)i;
        EACH(k, 8)
        {
            u32 word = table[8 + k];
            table[8 + k] = (word & 0xffff0000) | ((word + thread + (u32)i) & 0xffff);
        }
    }
    r[2] = r[3] = count;
    EACH(k, 8) r[4 + k] = get16((const u8 *)(table + 8) + 2 * (8 + k));
    OUT(thread * 128, table);
    OUT(thread * 128 + 64, r);
}

REFERENCE(bound_globals)
