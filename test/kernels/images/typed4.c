/* Computes in scalar C what the kernel of typed4.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/image.h"
#include "test/kernels/reference.h"

static void typed4(const void *in, void *out, unsigned thread)
{
    enum { WIDTH = 16, HEIGHT = 8, OUT_BYTES = 2560, THREAD_BYTES = 320 };
    u8 *base = (u8 *)out + thread * THREAD_BYTES, *image = (u8 *)out + OUT_BYTES + thread * WIDTH * 4;
    int y = (int)thread;
    EACH(c, 4) EACH(k, 16) put32(base + c * 64 + k * 4, byte_at(in, WIDTH, HEIGHT, k, y, c));
    EACH(c, 2) EACH(k, 8)
    {
        u32 texel = byte_at(in, WIDTH, HEIGHT, 6 + 2 * k, y, 2 * c);
        put32(base + 256 + c * 32 + k * 4, k & 1 ? texel : (u32)-7);
    }
    EACH(k, 12) EACH(c, 4)
    {
        if ((k & 3) != 2)
            image[(k + 4) * 4 + c] = byte_at(in, WIDTH, HEIGHT, 15 - k, y, c);
    }
    EACH(k, 2) EACH(c, 4) image[(1 - k) * 4 + c] = byte_at(in, WIDTH, HEIGHT, k, y, c);
}

REFERENCE(typed4)
