/* Formats of images, described a second time: what a kernel reads of an element, as Khronos defines it for OpenCL and
 * Level Zero, and Intel's manuals for packed ones. */
#ifndef CMKIT_TEST_RUN_API_FORMATS_H
#define CMKIT_TEST_RUN_API_FORMATS_H

#include <stdint.h>

struct api_format {
    const char *name;
    char kind;     /* u, i, f, s (-1..1) or n (0..1) */
    char order[5]; /* the channel in each field, from bit 0 on */
    int bits[4];
};

extern const int api_format_count;
const struct api_format *api_format_find(const char *name); /* NULL: there is none */

/* Writes the element number x of a row, whose floats are finite and normal. */
void api_format_sample(const struct api_format *format, unsigned x, unsigned char *element);

/* The four channels that a kernel reads: integers, or bits of floats. */
void api_format_decode(const struct api_format *format, const unsigned char *element, uint32_t channels[4]);

/* Are two texels the same? Fractions may differ by the rounding of a division. */
int api_format_same(const struct api_format *format, const uint32_t wanted[4], const uint32_t got[4]);

#endif
