/* Computes in scalar C what the kernels of volumes.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/image.h"
#include "test/kernels/reference.h"

enum { WIDTH = 16, HEIGHT = 4, DEPTH = 3 };

/* A texel of the image of volume_texels and volume_loads; 0 outside. */
static u32 texel_at(const void *image, int x, int y, int z)
{
    if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT || z < 0 || z >= DEPTH)
        return 0;
    return get32((const u8 *)image + ((z * HEIGHT + y) * WIDTH + x) * 4);
}

static void volume_texels(const void *in, void *out, unsigned thread)
{
    enum { OUT_BYTES = 384 };
    u8 *to = (u8 *)out + thread * 128, *row = (u8 *)out + OUT_BYTES + (thread * HEIGHT + 3) * WIDTH * 4;
    EACH(k, 16)
    {
        u32 read = texel_at(in, k, 1, (int)thread);
        put32(to + k * 4, read);
        put32(to + 64 + k * 4, texel_at(in, k, k % 3, k / 4 - 1));
        put32(row + (15 - k) * 4, read + thread * 1000);
    }
}

static void volume_loads(const void *in, void *out, unsigned thread)
{
    (void)thread;
    EACH(k, 16)
    {
        put32((u8 *)out + k * 4, texel_at(in, k, k % 4, k / 5));
        put32((u8 *)out + 64 + k * 4, texel_at(in, k, k % 4 - 1, k / 5 + 1));
    }
}

static int clamped(int x, int size)
{
    return x < 0 ? 0 : x < size ? x : size - 1;
}
static int repeated(int x, int size)
{
    return (x % size + size) % size;
}
static int mirrored(int x, int size)
{
    x = repeated(x, 2 * size);
    return x < size ? x : 2 * size - 1 - x;
}

/* Weighs texels of an image of three dimensions that are next to a place. `wrap`: the address mode. */
static float between(const void *image, const int size[3], const double place[3], int channel,
                     int (*wrap)(int x, int size))
{
    double sum = 0;
    EACH(corner, 8)
    {
        int at[3];
        double share = 1;
        EACH(axis, 3)
        {
            int low = (int)floor(place[axis] - 0.5), upper = corner >> axis & 1;
            double beyond = place[axis] - 0.5 - low;
            at[axis] = wrap(low + upper, size[axis]);
            share *= upper ? beyond : 1 - beyond;
        }
        sum += share * normalized(byte_at(image, size[0], size[1] * size[2], at[0], at[2] * size[1] + at[1], channel));
    }
    return (float)sum;
}

static const int volume[3] = {8, 4, 4};

static void place_of(int k, double place[3])
{
    place[0] = k * 0.5 - 1.25;
    place[1] = k * 0.25 - 0.75;
    place[2] = k * 0.3125 - 0.5;
}

static void volume_linear(const void *in, void *out, unsigned thread)
{
    float all[4][16];
    double place[3];
    (void)thread;
    EACH(c, 4) EACH(k, 16)
    {
        place_of(k, place);
        all[c][k] = between(in, volume, place, c, clamped);
    }
    OUT(0, all);
}

static void volume_nearest(const void *in, void *out, unsigned thread)
{
    float all[4][16];
    double place[3];
    (void)thread;
    EACH(c, 4) EACH(k, 16)
    {
        int at[3];
        place_of(k, place);
        EACH(axis, 3) at[axis] = repeated((int)floor(place[axis]), volume[axis]);
        all[c][k] = normalized(byte_at(in, volume[0], volume[1] * volume[2], at[0], at[2] * volume[1] + at[1], c));
    }
    OUT(0, all);
}

static void line_texels(const void *in, void *out, unsigned thread)
{
    enum { LENGTH = 32, OUT_BYTES = 64 };
    (void)thread;
    EACH(k, 16)
    {
        u32 read = k < 2 ? 0 : get32((const u8 *)in + (2 * k - 4) * 4);
        put32((u8 *)out + k * 4, read);
        if (35 - 2 * k < LENGTH)
            put32((u8 *)out + OUT_BYTES + (35 - 2 * k) * 4, read);
    }
}

static void line_linear(const void *in, void *out, unsigned thread)
{
    static const int size[3] = {16, 1, 1};
    float all[4][16];
    (void)thread;
    EACH(c, 4) EACH(k, 16)
    {
        double place[3] = {k * 1.75 - 5.625, 0.5, 0.5};
        all[c][k] = between(in, size, place, c, mirrored);
    }
    OUT(0, all);
}

REFERENCE(volume_texels)
REFERENCE(volume_loads)
REFERENCE(volume_linear)
REFERENCE(volume_nearest)
REFERENCE(line_texels)
REFERENCE(line_linear)
