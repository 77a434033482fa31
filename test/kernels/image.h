/* Shares functions among references of several kernels. */
#ifndef CMKIT_TEST_KERNELS_IMAGE_H
#define CMKIT_TEST_KERNELS_IMAGE_H

#include "test/kernels/elements.h"

/* A byte of texel (x, y) of an image of `width` texels of four bytes; 0 outside. */
static inline u32 byte_at(const void *image, int width, int height, int x, int y, int channel)
{
    if (x < 0 || x >= width || y < 0 || y >= height)
        return 0;
    return ((const u8 *)image)[(y * width + x) * 4 + channel];
}

/* A normalized byte, and back: what lies outside is clamped. */
static inline float normalized(u32 byte)
{
    return (float)(byte / 255.0);
}

#endif
