/* Computes in scalar C what the kernel of long_switches.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Comparisons one by one, so that no compiler's switch is the witness of another. */
static void long_switches(const void *in, void *out, unsigned thread)
{
    (void)thread;
    static const uint64_t halves[] = {1, 0x100000001, 0x200000001, 0x100000002, 0xffffffff00000000, 0x8000000000000003};
    IN(u32, a, 64, 0);
    u32 r[64];
    int64_t s[64];
    EACH(k, 64)
    {
        u32 x = a[k];
        uint64_t number = x & 32 ? halves[x & 16 ? 4 : 5] : (uint64_t)(x & 3) << 32 | (x >> 2 & 3);
        r[k] = (u32)(number >> 32) * 100 + (u32)number;
        EACH(c, 6) if (number == halves[c]) r[k] = 11 + (u32)c;
        int64_t y = (int64_t)x << 8, low = (int64_t)(u32)((x >> 7 & 1) - (x >> 8 & 1));
        bool negative = x >> 6 & 1;
        if (negative)
            s[k] = low == 0 ? y - 7 : low == 1 ? (y ^ 0x55) + 1 : y * 3;
        else
            s[k] = low == 0 ? ~y : low == 1 ? 1 : y + 1;
    }
    uint64_t state = a[0] & 15;
    for (u32 rounds = 0; rounds < 40; rounds++)
        if (state == 0)
            state = 0x300000000;
        else if (state == 0x300000000)
            state = (uint64_t)a[rounds] << 32 | 5;
        else if (state == 3) {
            state = 0;
            rounds += 2;
        } else
            state >>= 34;
    r[63] += (u32)state + (u32)(state >> 32) * 31;
    OUT(0, r);
    OUT(256, s);
}

REFERENCE(long_switches)
