/* Holds pictures of 8-bit samples, and reads and writes PNG files. */
#ifndef CMKIT_CMRUN_PIXELS_H
#define CMKIT_CMRUN_PIXELS_H

#include <stddef.h>

struct pixels {
    size_t width, height, channels; /* channels: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA */
    unsigned char *samples;         /* rows without gaps, allocated with malloc */
};

/* Reads a PNG file without changing values, except that samples become 8 bits wide and palettes are expanded. Returns
 * 0, or -1 with the reason, without the path, in `why`. */
int png_load(const char *path, struct pixels *out, char *why, size_t why_size);

/* Encodes `pixels` as a PNG file in memory, which the caller frees. Returns 0, or -1 with the reason. */
int png_encode(const struct pixels *pixels, unsigned char **bytes, size_t *size, char *why, size_t why_size);

/* Changes the number of channels: gray is copied to R, G and B; missing alpha is 255; surplus alpha is dropped; RGB
 * becomes its luma (Rec. 601). Returns 0, or -1 if out of memory. */
int pixels_convert(struct pixels *pixels, size_t channels);

#endif
