#include "benchmarks/linear/reference.h"

#include <stdlib.h>
#include <string.h>

size_t linear_columns(const struct pixels *pixels)
{
    return (pixels->width + BLOCK_PIXELS - 1) / BLOCK_PIXELS;
}
size_t linear_rows(const struct pixels *pixels)
{
    return (pixels->height + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

static size_t clamp(long position, size_t size)
{
    return position < 0 ? 0 : (size_t)position < size ? (size_t)position : size - 1;
}

static const unsigned char *pixel_at(const struct pixels *pixels, long x, long y)
{
    return pixels->samples + (clamp(y, pixels->height) * pixels->width + clamp(x, pixels->width)) * pixels->channels;
}

unsigned linear_sum(const struct pixels *pixels, size_t x, size_t y, size_t channel)
{
    unsigned sum = 0;
    for (long i = -1; i <= 1; i++)
        for (long j = -1; j <= 1; j++)
            sum += pixel_at(pixels, (long)x + j, (long)y + i)[channel];
    return sum;
}

unsigned linear_mean_cm(unsigned sum)
{
    return sum * 1111 / 10000;
}
unsigned linear_mean_cl(unsigned sum)
{
    return (sum * 1111 + 5000) / 10000;
}

int linear_pad(const struct pixels *pixels, struct pixels *out)
{
    out->width = linear_columns(pixels) * BLOCK_PIXELS + 4;
    out->height = linear_rows(pixels) * BLOCK_ROWS + 2;
    out->channels = 3;
    out->samples = malloc(out->width * out->height * 3);
    if (!out->samples)
        return -1;
    for (size_t y = 0; y < out->height; y++)
        for (size_t x = 0; x < out->width; x++)
            memcpy(out->samples + (y * out->width + x) * 3, pixel_at(pixels, (long)x - 1, (long)y - 1), 3);
    return 0;
}
