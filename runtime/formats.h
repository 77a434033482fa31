/* Describes image formats: the rows of image_formats.def. */
#ifndef CMKIT_RUNTIME_FORMATS_H
#define CMKIT_RUNTIME_FORMATS_H

#include "runtime/cmrt.h"

enum { MOST_FURTHER_PLANES = 2 };

struct image_format {
    const char *name;
    size_t bytes, channels;
};
extern const struct image_format image_formats[CMRT_FORMAT_COUNT];

/* A further plane: elements of `bytes`, one for each across x down elements of the first plane. */
struct image_plane {
    size_t bytes, across, down; /* bytes 0: no such plane */
};
extern const struct image_plane image_planes[CMRT_FORMAT_COUNT][MOST_FURTHER_PLANES];

/* Returns the number of dimensions of images of a type as .ze_info or a kernel's source names it: "image_3d",
 * "image2d_media_block_t read_only". 0: not known, or with more properties, such as arrays of images. */
unsigned image_type_dimensions(const char *type);

/* Returns the elements in a row of a plane, or its rows. */
static inline size_t plane_extent(size_t of_image, size_t divisor)
{
    return (of_image + divisor - 1) / divisor;
}

#endif
