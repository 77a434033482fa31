/* The host's side of the linear filter: makes inputs from a picture and compares results with the reference.
 *
 *   linear size PICTURE                print width, height, and linear.cm's groups in x and y
 *   linear pad PICTURE OUT.png         the input of linear.cm: RGB, edge repeated
 *   linear convert PICTURE OUT.png     the input of linear.cl: RGB as it is
 *   linear noise WIDTH HEIGHT OUT.png  a picture for tests: sharp edges, every byte value, the same each time
 *   linear check cm|cl PICTURE RESULT.png [CROPPED.png]
 *                                      print the number of wrong samples; exit 1 if there are any
 *
 * PICTURE is a PPM (P6, 8 bits), PNG or JPEG file. */
#include "benchmarks/harness/picture.h"
#include "benchmarks/linear/reference.h"
#include "runtime/cmrun/output.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *path, const char *why)
{
    fprintf(stderr, "linear: error: %s: %s\n", path, why);
    return 2;
}

static int load_picture(const char *path, struct pixels *out)
{
    char why[256];
    return picture_load(path, 8, out, why, sizeof why) ? fail(path, why) : 0;
}

static int save_png(const char *path, const struct pixels *pixels)
{
    char why[256];
    unsigned char *bytes;
    size_t size;
    if (png_encode(pixels, &bytes, &size, why, sizeof why))
        return fail(path, why);
    struct output_set *outputs = outputs_new();
    int result = outputs ? 0 : fail(path, "out of memory");
    if (!result &&
        (outputs_add(outputs, path, bytes, size, why, sizeof why) || outputs_commit(outputs, why, sizeof why))) {
        fprintf(stderr, "linear: error: %s\n", why);
        result = 2;
    }
    outputs_free(outputs);
    free(bytes);
    return result;
}

static int print_size(const struct pixels *picture)
{
    printf("%zu %zu %zu %zu\n", picture->width, picture->height, linear_columns(picture), linear_rows(picture));
    return 0;
}

static int pad(const struct pixels *picture, const char *path)
{
    struct pixels padded;
    if (linear_pad(picture, &padded))
        return fail(path, "out of memory");
    int result = save_png(path, &padded);
    free(padded.samples);
    return result;
}

/* Noise in stripes of full and of low contrast: sums from 0 to 9 * 255 occur. */
static int noise(const char *width, const char *height, const char *path)
{
    unsigned long counts[2] = {strtoul(width, NULL, 10), strtoul(height, NULL, 10)};
    uint32_t state = 12345;
    if (counts[0] < 1 || counts[0] > 4096 || counts[1] < 1 || counts[1] > 4096)
        return fail(path, "sides are 1 to 4096 pixels");
    struct pixels pixels = {counts[0], counts[1], 3, malloc((size_t)counts[0] * counts[1] * 3)};
    if (!pixels.samples)
        return fail(path, "out of memory");
    for (size_t i = 0; i < pixels.width * pixels.height * 3; i++) {
        size_t stripe = i / 3 / 5 % 4;
        state = state * 1664525u + 1013904223u;
        pixels.samples[i] = (unsigned char)(stripe == 0 ? 255 : stripe == 1 ? 0 : state >> 24);
    }
    int result = save_png(path, &pixels);
    free(pixels.samples);
    return result;
}

/* Counts the samples of `result`, cut to the picture's size, that differ from the reference. */
static size_t count_mismatches(const struct pixels *picture, const struct pixels *result, unsigned (*mean)(unsigned))
{
    size_t wrong = 0;
    for (size_t y = 0; y < picture->height; y++)
        for (size_t x = 0; x < picture->width; x++)
            for (size_t c = 0; c < 3; c++)
                wrong += result->samples[(y * result->width + x) * 3 + c] != mean(linear_sum(picture, x, y, c));
    return wrong;
}

static void crop(struct pixels *result, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++)
        memmove(result->samples + y * width * 3, result->samples + y * result->width * 3, width * 3);
    result->width = width;
    result->height = height;
}

static int check(const struct pixels *picture, const char *version, const char *path, const char *cropped)
{
    struct pixels result;
    int cm = strcmp(version, "cm") == 0;
    if (!cm && strcmp(version, "cl") != 0)
        return fail(version, "the version is cm or cl");
    int status = load_picture(path, &result);
    if (status)
        return status;
    if (result.width < picture->width || result.height < picture->height) {
        free(result.samples);
        return fail(path, "smaller than the picture");
    }
    size_t wrong = count_mismatches(picture, &result, cm ? linear_mean_cm : linear_mean_cl);
    printf("%zu\n", wrong);
    crop(&result, picture->width, picture->height);
    if (cropped)
        status = save_png(cropped, &result);
    free(result.samples);
    return status ? status : wrong != 0;
}

int main(int count, char **words)
{
    struct pixels picture;
    const char *verb = count > 1 ? words[1] : "";
    if (strcmp(verb, "noise") == 0 && count == 5)
        return noise(words[2], words[3], words[4]);
    int is_check = strcmp(verb, "check") == 0;
    int known = (strcmp(verb, "size") == 0 && count == 3) || (strcmp(verb, "pad") == 0 && count == 4) ||
                (strcmp(verb, "convert") == 0 && count == 4) || (is_check && (count == 5 || count == 6));
    if (!known) {
        fputs("usage: linear size PICTURE | pad PICTURE OUT.png | convert PICTURE OUT.png | "
              "noise WIDTH HEIGHT OUT.png | check cm|cl PICTURE RESULT.png [CROPPED.png]\n",
              stderr);
        return 2;
    }
    int status = load_picture(words[is_check ? 3 : 2], &picture);
    if (status)
        return status;
    status = is_check                    ? check(&picture, words[2], words[4], count == 6 ? words[5] : NULL)
             : strcmp(verb, "size") == 0 ? print_size(&picture)
             : strcmp(verb, "pad") == 0  ? pad(&picture, words[3])
                                         : save_png(words[3], &picture);
    free(picture.samples);
    return status;
}
