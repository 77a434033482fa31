/* Computes in scalar C what the kernel of long_switch_rows.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void long_switch_rows(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    EACH(k, 64)
    {
        u32 x = a[k], place = (x >> 9 & 7) - 1;
        u32 of_place[] = {x * 3, x + 17, x ^ 0x1234, x >> 5, x * x, x * x, 0};
        a[k] = x >> 12 & 1 || place > 6 ? x - 1 : of_place[place];
    }
    OUT(0, a);
}

REFERENCE(long_switch_rows)
