/* Computes in scalar C what the kernel of integers.cm must write. */
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static u32 with_field(u32 width, u32 offset, u32 field, u32 base)
{
    for (u32 bit = 0; bit < (width & 31) && bit + (offset & 31) < 32; bit++) {
        u32 at = (u32)1 << (bit + (offset & 31));
        base = field >> bit & 1 ? base | at : base & ~at;
    }
    return base;
}

static void integers(const void *in, void *out, unsigned thread)
{
    IN(i32, a, 16, thread * 256);
    IN(i32, b, 16, thread * 256 + 64);
    IN(u32, c, 16, thread * 256 + 128);
    IN(u32, d, 16, thread * 256 + 192);
    u32 row[12][16];
    EACH(k, 16)
    {
        u32 sum = c[k] + d[k], more = d[k] + (sum < c[k]);
        int64_t product = (int64_t)a[k] * b[k];
        uint64_t wide = (uint64_t)c[k] * more;
        i32 divisor = b[k] >> 20 | 1;
        row[0][k] = (u32)(((int64_t)a[k] + b[k] + 1) >> 1);
        row[1][k] = (u32)(((uint64_t)c[k] + d[k] + 1) >> 1);
        row[2][k] = 0;
        EACH(byte, 4)
        {
            u32 x = (u32)a[k] >> 8 * byte & 255, y = c[k] >> 8 * byte & 255;
            row[2][k] |= ((x + y + 1) >> 1) << 8 * byte;
        }
        row[3][k] = sum;
        row[4][k] = more - c[k];
        row[5][k] = more < c[k];
        row[6][k] = (u32)(product >> 32);
        row[7][k] = (u32)wide ^ (u32)(wide >> 32);
        row[8][k] = (u32)(a[k] / divisor) * 3 + (u32)(a[k] % divisor);
        row[9][k] = c[k] / 1000 + more % 77;
        row[10][k] = with_field(more & 31, c[k] & 31, (u32)a[k], (u32)b[k]) + with_field(7, 12, 0x155, c[k]);
        row[11][k] = bit_field(more & 31, 3, (u32)a[k], 1) + bit_field(c[k] & 31, more & 31, (u32)b[k], 0);
    }
    OUT(thread * 768, row);
}

REFERENCE(integers)
