/* Computes in scalar C what the kernel of kept_lanes.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

enum { LANES = 32, MOST_ROUNDS = 4 };

/* Rounds of a loop that lanes leave one by one. */
static void kept_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, places, 16, 0);
    IN(u32, a, LANES * 8, 32);
    IN(u32, b, LANES * 16, 1056);
    IN(u8, c, 512, 3104);
    bool inside[LANES];
    EACH(k, LANES) inside[k] = true;
    for (unsigned round = 1; round <= MOST_ROUNDS; round++) {
        EACH(k, LANES)
        if (inside[k])
            put16(c + 2 * (places[1] % 114 + 3 * k), round);
        EACH(k, LANES)
        if (inside[k])
            put32(c + 4 * (k / 4 * 16 + places[0] % 13 + k % 4), round);
        EACH(k, LANES)
        inside[k] = inside[k] && (i32)(a[k * 8 + (places[0] & 7)] - b[28 * 16 + k]) <= 0x40000000;
    }
    OUT(0, a);
    OUT(1024, b);
    OUT(3072, c);
}

REFERENCE(kept_lanes)
