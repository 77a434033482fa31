/* Computes in scalar C what the kernel of wide_masks.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void wide_masks(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *v = in;
    u8 w[8][64] = {{0}};
    EACH(k, 64)
    {
        w[0][k] = v[5] > 100 ? v[k] : 9;
        w[1][k] = v[6] < 100 ? v[k] : w[0][k];
        w[2][k] = k < 32 ? (v[32 + k] > 100 ? 77 : v[k]) : k < 48 ? (v[16 + k] > 100 ? 78 : v[k - 32]) : 0;
        bool each = k == 40 ? v[7] & 1 : k != 3 && v[k] > 100;
        w[3][k] = each ? v[k] : w[2][k];
        w[4][k] = v[9] & 1 ? 0 : v[8];
        w[5][k] = v[5] > 100 ? 3 : 0;
        w[6][k] = k % 16 != 3 && v[k % 16] > 100 ? 1 : 2;
        w[7][k] = v[4 + k % 4] > 100 ? v[k] : 3;
    }
    OUT(0, w);
}

REFERENCE(wide_masks)
