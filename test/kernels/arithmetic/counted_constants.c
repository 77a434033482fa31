/* Computes in scalar C what the kernel of counted_constants.cm must write. */
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void counted_constants(const void *in, void *out, unsigned thread)
{
    /* of 2, 0, -100 and -1 */
    static const u32 reversed[4] = {0x40000000, 0, 0x39ffffff, 0xffffffff};
    static const u32 leading[4] = {30, 32, 0, 0}, first[4] = {1, ~0u, 2, 0}, high[4] = {30, ~0u, 0, 0},
                     signed_high[4] = {30, ~0u, 25, ~0u};
    static const u32 ones[4] = {1, 0, 28, 32}, absolute[4] = {2, 0, 100, 1}, ones_of_words[4] = {1, 0, 12, 16};
    (void)thread;
    IN(i32, x, 8, 0);
    IN(i32, y, 8, 32);
    u32 r[4][16];
    int64_t wide[3][8];
    u32 highest[2][8];
    EACH(n, 4) EACH(k, 16)
    {
        const u32 expected[8] = {leading[n], first[n],    high[n],     signed_high[n],
                                 ones[n],    reversed[n], absolute[n], ones_of_words[n]};
        r[n][k] = expected[k / 2];
    }
    EACH(k, 8)
    {
        wide[0][k] = x[k] < 0 ? 0 : x[k];
        wide[1][k] = y[k];
        wide[2][k] = (u32)x[k];
        const u32 magnitude = (u32)(y[k] < 0 ? ~y[k] : y[k]);
        highest[0][k] = highest[1][k] = ~0u;
        EACH(bit, 32)
        {
            highest[0][k] = (u32)x[k] >> bit & 1 ? 31 - (u32)bit : highest[0][k];
            highest[1][k] = magnitude >> bit & 1 ? 31 - (u32)bit : highest[1][k];
        }
    }
    OUT(0, r);
    OUT(256, wide);
    OUT(448, highest);
}

REFERENCE(counted_constants)
