/* Computes in scalar C what the kernels of typed.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/image.h"
#include "test/kernels/reference.h"

static void typed_integers(const void *in, void *out, unsigned thread)
{
    enum { WIDTH = 16, HEIGHT = 8, OUT_BYTES = 4608, THREAD_BYTES = 576 };
    u8 *base = (u8 *)out + thread * THREAD_BYTES, *image = (u8 *)out + OUT_BYTES + thread * WIDTH * 4;
    int y = (int)thread;
    EACH(c, 4) EACH(k, 16) put32(base + c * 64 + k * 4, byte_at(in, WIDTH, HEIGHT, k, y, c));
    EACH(c, 2) EACH(k, 32) put32(base + 256 + c * 128 + k * 4, byte_at(in, WIDTH, HEIGHT, k, y, c));
    EACH(k, 8) put32(base + 512 + k * 4, 0);
    EACH(k, 12) EACH(c, 4)
    {
        if ((k & 3) != 2)
            image[(k + 4) * 4 + c] = (u8)(k == 3 ? 255 : byte_at(in, WIDTH, HEIGHT, 15 - k, y, c));
    }
}

static u8 byte_of(float x)
{
    float scaled = x * 255.0f;
    return (u8)lrintf(scaled < 0 ? 0 : scaled > 255 ? 255 : scaled);
}

static void typed_floats(const void *in, void *out, unsigned thread)
{
    enum { WIDTH = 16, HEIGHT = 4, OUT_BYTES = 512 };
    u8 *image = (u8 *)out + OUT_BYTES + thread * WIDTH * 4;
    EACH(k, 8)
    {
        float texel[4];
        EACH(c, 4)
        {
            texel[c] = normalized(byte_at(in, WIDTH, HEIGHT, k, (int)thread, c));
            memcpy((u8 *)out + thread * 128 + c * 32 + k * 4, &texel[c], 4);
        }
        texel[0] *= 0.5f;
        texel[1] -= 0.25f;
        texel[2] *= 3.0f;
        EACH(c, 4) image[(k + 8) * 4 + c] = byte_of(texel[c]);
    }
}

REFERENCE(typed_integers)
REFERENCE(typed_floats)
