/* Computes in scalar C what the kernels of sampler.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/image.h"
#include "test/kernels/reference.h"

/* ---- the sampler ---- */
enum { SAMPLED_WIDTH = 16, SAMPLED_HEIGHT = 8 };

static int clamped(int x, int size)
{
    return x < 0 ? 0 : x < size ? x : size - 1;
}

static int repeated(int x, int size)
{
    return (x % size + size) % size;
}

static float clamped_texel(const void *image, double x, double y, int channel)
{
    int column = clamped((int)floor(x), SAMPLED_WIDTH), row = clamped((int)floor(y), SAMPLED_HEIGHT);
    return normalized(byte_at(image, SAMPLED_WIDTH, SAMPLED_HEIGHT, column, row, channel));
}

static float repeated_texel(const void *image, double x, double y, int channel)
{
    int left = (int)floor(x - 0.5), top = (int)floor(y - 0.5);
    double dx = x - 0.5 - left, dy = y - 0.5 - top, sum = 0;
    EACH(corner, 4)
    {
        int column = repeated(left + (corner & 1), SAMPLED_WIDTH), row = repeated(top + corner / 2, SAMPLED_HEIGHT);
        sum += (corner & 1 ? dx : 1 - dx) * (corner / 2 ? dy : 1 - dy) *
               normalized(byte_at(image, SAMPLED_WIDTH, SAMPLED_HEIGHT, column, row, channel));
    }
    return (float)sum;
}

static void sample_rows(const void *in, void *out, unsigned thread, double step,
                        float (*texel)(const void *image, double x, double y, int channel))
{
    double y = thread * 3 - 1.5;
    float all[4][16], part[2][8];
    EACH(c, 4) EACH(k, 16) all[c][k] = texel(in, k * step - 6.5, y, c);
    EACH(c, 2) EACH(k, 8) part[c][k] = texel(in, 2 * k * step - 6.5 + 3, y - 2, 1 + 2 * c);
    OUT(thread * 320, all);
    OUT(thread * 320 + 256, part);
}

static void sample_clamp(const void *in, void *out, unsigned thread)
{
    sample_rows(in, out, thread, 2, clamped_texel);
}

static void sample_chosen(const void *in, void *out, unsigned thread)
{
    sample_clamp(in, out, thread);
}

static void sample_repeat(const void *in, void *out, unsigned thread)
{
    sample_rows(in, out, thread, 2.0703125, repeated_texel);
}

/* The border is 0. */
static void sample_pixels(const void *in, void *out, unsigned thread)
{
    static const int first[] = {0, 1, 2, 3, 0, 2};
    (void)thread;
    EACH(k, 16)
    {
        int x = (int)floor(k * 1.5 - 2.25), y = (int)floor(7.75 - k * 0.625);
        EACH(c, 6)
        put32((u8 *)out + c * 64 + k * 4, byte_at(in, SAMPLED_WIDTH, SAMPLED_HEIGHT, x, y, first[c]));
        EACH(c, 2) put32((u8 *)out + 384 + c * 64 + k * 4, byte_at(in, SAMPLED_WIDTH, SAMPLED_HEIGHT, y, x, 1 + c));
        EACH(c, 2) put32((u8 *)out + 512 + c * 64 + k * 4, byte_at(in, SAMPLED_WIDTH, SAMPLED_HEIGHT, x, y, 1));
    }
}

static void load_texels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    EACH(k, 16)
    {
        int x = k * 2 - 3, y = k / 2;
        EACH(c, 4) put32((u8 *)out + c * 64 + k * 4, byte_at(in, SAMPLED_WIDTH, SAMPLED_HEIGHT, x, y, c));
        put32((u8 *)out + 256 + k * 4, byte_at(in, SAMPLED_WIDTH, SAMPLED_HEIGHT, y, x, 2));
        EACH(c, 4) put32((u8 *)out + 384 + c * 64 + k * 4, byte_at(in, SAMPLED_WIDTH, SAMPLED_HEIGHT, y, y, c));
    }
    EACH(c, 2) EACH(k, 8)
    {
        int x = (k + 2) * 2 - 3 - 1, y = (k + 2) / 2 + 1;
        put32((u8 *)out + 320 + c * 32 + k * 4, byte_at(in, SAMPLED_WIDTH, SAMPLED_HEIGHT, x, y, c));
    }
}

REFERENCE(sample_clamp)
REFERENCE(sample_repeat)
REFERENCE(sample_pixels)
REFERENCE(sample_chosen)
REFERENCE(load_texels)
