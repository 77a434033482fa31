#include "runtime/cmrun/pixels.h"

#include <errno.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of a libpng read. We use libpng's classic interface, because the simplified one converts samples by the file's
 * gamma and cmrun needs the bytes unchanged. It reports errors by longjmp; all state that must survive one is here. */
struct png_reader {
    FILE *file;
    png_structp png;
    png_infop info;
    unsigned char *samples, **rows;
    size_t width, height, channels;
    char reason[128];
};

static void on_error(png_structp png, png_const_charp text)
{
    struct png_reader *reader = png_get_error_ptr(png);
    snprintf(reader->reason, sizeof reader->reason, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

/* Asks libpng for 8-bit samples without palette. */
static void choose_transforms(struct png_reader *reader)
{
    png_read_info(reader->png, reader->info);
    png_set_scale_16(reader->png);
    png_set_expand(reader->png); /* palette to RGB, fewer bits to 8, a transparent colour to alpha */
    png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    reader->width = png_get_image_width(reader->png, reader->info);
    reader->height = png_get_image_height(reader->png, reader->info);
    reader->channels = png_get_channels(reader->png, reader->info);
}

static int read_samples(struct png_reader *reader)
{
    if (setjmp(png_jmpbuf(reader->png)))
        return -1;
    png_init_io(reader->png, reader->file);
    choose_transforms(reader);
    size_t row = reader->width * reader->channels;
    if (row != png_get_rowbytes(reader->png, reader->info))
        png_error(reader->png, "unexpected row size");
    if (reader->height <= SIZE_MAX / row)
        reader->samples = malloc(row * reader->height);
    reader->rows = calloc(reader->height, sizeof *reader->rows);
    if (!reader->samples || !reader->rows)
        png_error(reader->png, "out of memory");
    for (size_t y = 0; y < reader->height; y++)
        reader->rows[y] = reader->samples + y * row;
    png_read_image(reader->png, reader->rows);
    png_read_end(reader->png, NULL);
    return 0;
}

int png_load(const char *path, struct pixels *out, char *why, size_t why_size)
{
    struct png_reader reader = {.file = fopen(path, "rb")};
    memset(out, 0, sizeof *out);
    if (!reader.file) {
        snprintf(why, why_size, "%s", strerror(errno));
        return -1;
    }
    reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
    reader.info = reader.png ? png_create_info_struct(reader.png) : NULL;
    int result = reader.info ? read_samples(&reader) : -1;
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    fclose(reader.file);
    free(reader.rows);
    if (result) {
        snprintf(why, why_size, "not a readable PNG file: %s", *reader.reason ? reader.reason : "out of memory");
        free(reader.samples);
        return -1;
    }
    *out = (struct pixels){reader.width, reader.height, reader.channels, reader.samples};
    return 0;
}

int png_encode(const struct pixels *pixels, unsigned char **bytes, size_t *size, char *why, size_t why_size)
{
    static const png_uint_32 formats[] = {
        [1] = PNG_FORMAT_GRAY, [2] = PNG_FORMAT_GA, [3] = PNG_FORMAT_RGB, [4] = PNG_FORMAT_RGBA};
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)pixels->width,
                       .height = (png_uint_32)pixels->height,
                       .format = formats[pixels->channels],
                       .flags = PNG_IMAGE_FLAG_FAST};
    png_alloc_size_t length = PNG_IMAGE_PNG_SIZE_MAX(image); /* a bound: one pass of compression instead of two */
    *bytes = malloc(length);
    if (*bytes && png_image_write_to_memory(&image, *bytes, &length, 0, pixels->samples, 0, NULL)) {
        *size = length;
        return 0;
    }
    snprintf(why, why_size, "%s", *bytes ? image.message : "out of memory");
    free(*bytes);
    *bytes = NULL;
    return -1;
}

static unsigned char luma(const unsigned char *rgb)
{
    return (unsigned char)((299u * rgb[0] + 587u * rgb[1] + 114u * rgb[2] + 500u) / 1000u);
}

int pixels_convert(struct pixels *pixels, size_t channels)
{
    size_t count = pixels->width * pixels->height, had = pixels->channels;
    if (had == channels)
        return 0;
    unsigned char *samples = count <= SIZE_MAX / channels ? malloc(count * channels) : NULL;
    if (!samples)
        return -1;
    int colour = had >= 3, alpha = had == 2 || had == 4;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *from = pixels->samples + i * had;
        unsigned char *to = samples + i * channels;
        if (channels >= 3)
            to[0] = from[0], to[1] = from[colour ? 1 : 0], to[2] = from[colour ? 2 : 0];
        else
            to[0] = colour ? luma(from) : from[0];
        if (channels == 2 || channels == 4)
            to[channels - 1] = alpha ? from[had - 1] : 255;
    }
    free(pixels->samples);
    pixels->samples = samples;
    pixels->channels = channels;
    return 0;
}
