/* Pictures as 8-bit samples, and PNG files. */
#ifndef CMKIT_CMRUN_PIXELS_H
#define CMKIT_CMRUN_PIXELS_H

#include <stddef.h>

struct pixels {
    size_t width, height, channels; /* channels: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA */
    unsigned char *samples;         /* rows without gaps, allocated with malloc */
};

/* Reads a PNG file as it is, but with at least and at most 8 bits a sample and no palette. Returns 0, or -1 with the
 * reason, which does not repeat the path, in `why`. */
int png_load(const char *path, struct pixels *out, char *why, size_t why_size);

/* The bytes of a PNG file that holds `pixels`, for the caller to free. Returns 0, or -1 with the reason. */
int png_encode(const struct pixels *pixels, unsigned char **bytes, size_t *size, char *why, size_t why_size);

/* The same picture with another number of channels: gray spreads to RGB, missing alpha is 255, surplus alpha goes, and
 * RGB becomes its luma (Rec. 601). Returns 0, or -1 when memory runs out. */
int pixels_convert(struct pixels *pixels, size_t channels);

#endif
