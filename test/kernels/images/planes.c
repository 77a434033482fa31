/* Computes in scalar C what the kernels of planes.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* A plane of an image: `bytes` in a row, elements of `pixel` bytes. */
struct plane {
    u8 *rows;
    int bytes, height, pixel;
};

/* Byte `byte` of row y of the plane; what lies outside takes the nearest element. */
static u8 plane_byte(const struct plane *plane, int x, int y)
{
    while (x >= plane->bytes)
        x -= plane->pixel;
    y = y < 0 ? 0 : y >= plane->height ? plane->height - 1 : y;
    return plane->rows[y * plane->bytes + x];
}

static void plane_block(const struct plane *plane, u8 *to, int x, int y, int rows, int columns)
{
    EACH(row, rows) EACH(column, columns) to[row * columns + column] = plane_byte(plane, x + column, y + row);
}

static void plane_write(const struct plane *plane, const u8 *from, int x, int y, int rows, int columns)
{
    EACH(row, rows) EACH(column, columns)
    {
        if (x + column < plane->bytes && y + row < plane->height)
            plane->rows[(y + row) * plane->bytes + x + column] = from[row * columns + column];
    }
}

static void planes_nv12(const void *in, void *out, unsigned thread)
{
    enum { OUT_BYTES = 320 };
    u8 *to = out, *image = to + OUT_BYTES, swapped[64];
    const struct plane y = {image, 32, 16, 1}, uv = {image + 512, 32, 8, 2};
    (void)in, (void)thread;
    plane_block(&uv, to, 8, 2, 4, 16);
    plane_block(&uv, to + 64, 24, 6, 4, 16);
    plane_block(&y, to + 128, 4, 3, 4, 16);
    plane_block(&y, to + 192, 4, 3, 4, 16);
    EACH(row, 4) plane_block(&uv, to + 256 + row * 16, 0, row < 3 ? 2 * (row + 1) : 6, 1, 16);
    EACH(k, 64) swapped[k] = to[k ^ 1];
    plane_write(&uv, swapped, 8, 2, 4, 16);
    plane_write(&uv, swapped, 24, 6, 4, 16);
    plane_write(&y, to + 192, 0, 15, 1, 16);
}

static void planes_i420(const void *in, void *out, unsigned thread)
{
    enum { OUT_BYTES = 192 };
    u8 *to = out, *image = to + OUT_BYTES, more[64];
    const struct plane y = {image, 32, 16, 1}, u = {image + 512, 16, 8, 1}, v = {image + 640, 16, 8, 1};
    (void)in, (void)thread;
    plane_block(&u, to, 12, -2, 8, 8);
    plane_block(&v, to + 64, 12, -2, 8, 8);
    plane_block(&y, to + 128, 12, -2, 8, 8);
    plane_write(&u, to + 64, 0, 0, 8, 8);
    EACH(k, 64) more[k] = (u8)(to[64 + k] + 1);
    plane_write(&v, more, 12, 4, 8, 8);
}

REFERENCE(planes_nv12)
REFERENCE(planes_i420)
