/* Computes in scalar C what the kernel of negative_choice.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void negative_choice(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, bytes, 32, 0);
    IN(i16, words, 32, 64);
    IN(u16, limits, 8, 192);
    u32 less[3][8];
    int at = limits[3] & 3;
    EACH(k, 8)
    {
        int lane = k / 4 * 16 + k % 4 + at;
        less[0][k] = -bytes[lane] < limits[k] >> 15;
        less[1][k] = -words[k / 4 * 8 + k % 4 + at] < limits[k];
        less[2][k] = -(int8_t)bytes[lane + 8] < limits[k];
    }
    OUT(0, less);
}

REFERENCE(negative_choice)
