/* Computes in scalar C what the kernel of traps_image.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* The image follows `out`. */
static void traps_image(const void *in, void *out, unsigned thread)
{
    enum { WIDTH = 24, HEIGHT = 6, OUT_BYTES = 256 };
    (void)thread;
    const u8 *pixels = in;
    u8 *to = out, *image = to + OUT_BYTES;
    EACH(r, 4) EACH(c, 8)
    {
        to[r * 8 + c] = pixels[(r < 2 ? 0 : r - 2) * WIDTH + (c < 3 ? 0 : c - 3)];
        to[32 + r * 8 + c] = pixels[(r < 2 ? 4 + r : 5) * WIDTH + (c < 4 ? 20 + c : 23)];
    }
    EACH(k, 32) to[64 + k] = k < 16 ? pixels[496 + k] : 0;
    memcpy(image + 4 * WIDTH + 4, pixels + 16, 12);
    memcpy(image + 5 * WIDTH + 4, pixels + 28, 12);
}

REFERENCE(traps_image)
