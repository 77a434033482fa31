/* References of the kernels on texels: images hold the first bytes of `in`; what they hold afterwards stands behind
 * `out`. */
#include "elements.h"
#include "reference.h"

#include <math.h>

/* A byte of texel (x, y) of an image of `width` texels of four bytes; 0 outside. */
static u32 byte_at(const void *image, int width, int height, int x, int y, int channel)
{
    if (x < 0 || x >= width || y < 0 || y >= height)
        return 0;
    return ((const u8 *)image)[(y * width + x) * 4 + channel];
}

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

/* The bytes of a field's rows, from byte x of its row y on; what lies outside takes the edge's pixels. */
static void field_block(const u8 *image, u8 *to, int parity, int x, int y, int rows, int bytes)
{
    enum { PITCH = 64, ROWS = 8 };
    EACH(row, rows) EACH(byte, bytes)
    {
        int from = y + row < ROWS ? y + row : ROWS - 1;
        to[row * bytes + byte] = image[(from * 2 + parity) * PITCH + x + byte];
    }
}

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

static void media_fields(const void *in, void *out, unsigned thread)
{
    enum { PITCH = 64, OUT_BYTES = 448 };
    u8 *to = out, *image = to + OUT_BYTES, field[128];
    (void)thread;
    field_block(in, to, 0, 8, 2, 4, 32);
    field_block(in, to + 128, 1, 4, 1, 4, 32);
    field_block(in, field, 1, 0, 6, 4, 32);
    memcpy(to + 256, field, sizeof field);
    memset(to + 384, 0, 64);
    EACH(row, 5) memcpy(to + 384 + row * 12, image + (3 + row) * PITCH + 5, 12);

    EACH(k, 6) put16(image + 15 * PITCH + 2 * k, (u16)(get16((const u8 *)in + 15 * PITCH + 48 + 2 * k) + 1));
    EACH(k, 8) image[14 * PITCH + 20 + k] = (u8)~to[384 + 12 + k];
    EACH(row, 2) EACH(byte, 32) field[row * 32 + byte] ^= 255;
    EACH(row, 2)
    {
        memcpy(image + row * 2 * PITCH + 32, field + row * 32, 8);
        memcpy(image + ((1 + row) * 2 + 1) * PITCH + 40, field + row * 32 + 8, 4);
    }
    memcpy(image + 14 * PITCH + 60, field + 16, 4);
}

/* A block of `rows` x `columns` dwords, the block's number x, y: its columns one after the other. */
static void transposed_block(const u8 *image, u8 *to, int rows, int columns, int x, int y)
{
    enum { PITCH = 64 };
    EACH(c, columns)
    EACH(r, rows) memcpy(to + (c * rows + r) * 4, image + (y * rows + r) * PITCH + (x * columns + c) * 4, 4);
}

static void transposed_reads(const void *in, void *out, unsigned thread)
{
    u8 *to = out;
    (void)thread;
    transposed_block(in, to, 8, 4, 2, 0);
    transposed_block(in, to + 128, 2, 8, 1, 3);
    transposed_block(in, to + 192, 4, 1, 13, 1);
    transposed_block(in, to + 208, 1, 4, 3, 5);
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

/* A normalized byte, and back: what lies outside is clamped. */
static float normalized(u32 byte)
{
    return (float)(byte / 255.0);
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

static void typed_atomics(const void *in, void *out, unsigned thread)
{
    enum { OUT_BYTES = 512 };
    (void)thread;
    IN(u32, wanted, 8, 0);
    IN(u32, operand, 16, 128);
    u32 rows[2][16];
    memcpy(rows, in, sizeof rows);
    EACH(k, 16)
    {
        put32((u8 *)out + 4 * k, rows[1][k]);
        rows[1][k] += operand[k];
        put32((u8 *)out + 64 + 4 * k, k & 1 ? rows[1][k] : 5);
        rows[1][k] += k & 1;
    }
    EACH(k, 8)
    {
        put32((u8 *)out + 128 + 4 * k, rows[0][k]);
        rows[0][k] = rows[0][k] == wanted[k] + (k & 1) ? operand[8 + k] : rows[0][k];
    }
    EACH(k, 16)
    {
        put32((u8 *)out + 192 + 4 * k, k < 8 ? rows[0][k + 8] : 0);
        if (k < 8 && (i32)operand[k] < (i32)rows[0][k + 8])
            rows[0][k + 8] = operand[k];
    }
    u32 few[8];
    EACH(k, 8)
    {
        few[k] = --rows[1][4 + k];
        put32((u8 *)out + 256 + 4 * k, few[k]);
    }
    EACH(k, 8)
    {
        put32((u8 *)out + 288 + 4 * k, rows[1][8 + k]);
        rows[1][8 + k] ^= few[k];
    }
    memcpy((u8 *)out + OUT_BYTES, rows, sizeof rows);
}

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

const struct reference image_table[] = {
    ROW(edge_pixels),
    ROW(media_fields),
    ROW(planes_nv12),
    ROW(planes_i420),
    ROW(transposed_reads),
    ROW(row_ends),
    ROW(typed_integers),
    ROW(typed_floats),
    ROW(typed_atomics),
    ROW(sample_clamp),
    ROW(sample_chosen),
    ROW(sample_repeat),
    ROW(sample_pixels),
    ROW(load_texels),
    {0},
};
