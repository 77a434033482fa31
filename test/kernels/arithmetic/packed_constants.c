/* Computes in scalar C what the kernel of packed_constants.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void packed_constants(const void *in, void *out, unsigned thread)
{
    static const i32 few[8] = {0, 0, 0, 1, 0, 1, 0, 1}, around[8] = {-4, 3, -2, 1, 0, -1, 2, -3};
    static const u32 rising[8] = {0, 15, 8, 1, 9, 14, 7, 3};
    IN(i16, words, 16, thread * 160);
    IN(u16, others, 8, thread * 160 + 32);
    IN(i32, numbers, 16, thread * 160 + 64);
    u32 place = (u32)numbers[1] % 9, by = (u32)numbers[0] & 31;
    i32 results[3][8];
    u32 shifted[3][8];
    EACH(i, 8)
    {
        i32 word = words[place + i] & 7, number = numbers[8 + i];
        results[0][i] = word != few[i] ? number : 0;
        results[1][i] = (others[i] & 1) == few[i] ? number : 1;
        results[2][i] = word - 4 < around[i] ? number : 2;
        shifted[0][i] = rising[i] << by | rising[i] >> (-by & 31);
        shifted[1][i] = rising[i] >> (numbers[i] & 3);
        shifted[2][i] = rising[i] >> (by & 1);
    }
    OUT(0, results);
    OUT(96, shifted);
}

REFERENCE(packed_constants)
