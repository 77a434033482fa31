/* Computes in scalar C what the kernel of nested_selects.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void nested_selects(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, m, 64, 0);
    u32 copy[64];
    /* rows 1, 3, 5, 7; of these the second and third; columns 1, 3, 5, 7 */
    EACH(r, 2) EACH(c, 4) m[(3 + 2 * r) * 8 + 1 + 2 * c] = 1000;
    /* from (1, 1): rows 0, 2, 4 and columns 1, 3, 5; of these the last two of each */
    EACH(r, 2) EACH(c, 2) m[(1 + 2 * (1 + r)) * 8 + 1 + 1 + 2 * (1 + c)] += 7;
    memcpy(copy, m, sizeof copy);
    EACH(k, 4) m[2 * 8 + 1 + 2 * k] = copy[2 * k * 8 + 3];
    memcpy(copy, m, sizeof copy);
    EACH(k, 2) m[5 * 8 + 4 + 1 + k] = copy[k * 8 + 6];
    /* columns 2 and 6; column 6, rows 1, 3, 5, 7 */
    EACH(k, 4) m[(1 + 2 * k) * 8 + 6] -= 5;
    OUT(0, m);
}

REFERENCE(nested_selects)
