/* Computes in scalar C what the kernel of ordered_lines.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void ordered_lines(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, d, 4096, 0);
    i32 sums[128], counts[64];
    u8 line[3072];
    EACH(r, 8)
    EACH(c, 16)
    {
        sums[r * 16 + c] = d[r * 32 + c] + 2 * d[(r + 1) * 32 + c] + d[(r + 2) * 32 + c];
    }
    EACH(r, 4)
    EACH(c, 16)
    {
        counts[r * 16 + c] = 4;
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++) {
                int far = d[512 + (r + 1) * 24 + c + 1] - d[512 + (r + y) * 24 + c + x];
                counts[r * 16 + c] += far > -60 && far < 60;
            }
    }
    EACH(i, 24)
    EACH(b, 128)
    {
        line[(23 - i) * 128 + b] = d[1024 + i * 128 + (b % 2 ? b : b ^ 2)];
    }
    OUT(0, sums);
    OUT(512, counts);
    OUT(1024, line);
}

REFERENCE(ordered_lines)
