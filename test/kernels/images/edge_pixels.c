/* Computes in scalar C what the kernels of edge_pixels.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void edge_pixels(const void *in, void *out, unsigned thread)
{
    enum { WIDTH = 16, HEIGHT = 8 };
    u8 *to = out;
    (void)thread;
    EACH(k, 3) EACH(row, 8) EACH(byte, 32)
    {
        int x = (k * 28 - 12 + byte) >> 2, y = k * 3 - 3 + row;
        x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
        y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
        to[k * 256 + row * 32 + byte] = ((const u8 *)in)[(y * WIDTH + x) * 4 + byte % 4];
    }
}

static void row_ends(const void *in, void *out, unsigned thread)
{
    u8 *to = out;
    (void)thread;
    EACH(k, 4) EACH(row, 8) EACH(column, 16)
    {
        int x = 37 + k * 10 + column;
        to[k * 128 + row * 16 + column] = ((const u8 *)in)[(k + row) * 64 + (x < 62 ? x : 61)];
    }
}

REFERENCE(edge_pixels)
REFERENCE(row_ends)
