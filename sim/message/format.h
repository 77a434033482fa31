/* Converts between pixels of a surface format and four 32-bit channels (R, G, B, A). */
#ifndef CMKIT_SIM_MESSAGE_FORMAT_H
#define CMKIT_SIM_MESSAGE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum format_kind {
    FORMAT_FLOAT,
    FORMAT_UNORM,
    FORMAT_SNORM,
    FORMAT_UINT,
    FORMAT_SINT,
    FORMAT_SRGB,
    FORMAT_RAW, /* from here on: pixels that format_read and format_write do not support */
    FORMAT_YUV,
    FORMAT_PLANAR
};

struct surface_format {
    uint32_t number;
    const char *name;
    enum format_kind kind;
    uint8_t bits[4];
    char order[5];
    unsigned bytes; /* of one pixel */
};

/* Returns NULL for a format that the simulator lacks. */
const struct surface_format *format_find(uint32_t number);

/* False for formats of bytes and of shared chroma. */
bool format_is_writable(const struct surface_format *format);

/* True when channels are integers (UINT, SINT), false when they are floats. */
bool format_is_integer(const struct surface_format *format);

/* Returns the channels of the pixel at `memory`; floats as their bits. */
void format_read(const struct surface_format *format, const uint8_t *memory, uint32_t channels[4]);

/* Stores channels as the pixel at `memory`: floats clamped and rounded to nearest even, integers clamped. */
void format_write(const struct surface_format *format, uint8_t *memory, const uint32_t channels[4]);

/* Returns false if real hardware may store other bits: for floats shorter than half, whose rounding of inexact values
 * has no public reference. */
bool format_writes_exactly(const struct surface_format *format, const uint32_t channels[4]);

float format_float_of(uint32_t bits);
uint32_t format_bits_of(float value);
uint16_t format_half_of(float value); /* rounded to nearest even */
float format_float_of_half(uint16_t half);

#endif
