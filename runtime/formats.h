/* Describes image formats: the rows of image_formats.def. */
#ifndef CMKIT_RUNTIME_FORMATS_H
#define CMKIT_RUNTIME_FORMATS_H

#include "runtime/cmrt.h"

enum {
    MOST_FURTHER_PLANES = 2,
    FORMAT_COUNT = 0
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE) +1
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

struct image_format {
    const char *name;
    size_t bytes, channels;
};
extern const struct image_format image_formats[FORMAT_COUNT];

static inline int is_image_format(enum cmrt_format format)
{
    return format >= 0 && (unsigned)format < FORMAT_COUNT;
}

/* Do the channels of the format have different bits? */
int image_format_is_packed(enum cmrt_format format);

/* A further plane: elements of `bytes`, one for each across x down elements of the first plane. */
struct image_plane {
    size_t bytes, across, down; /* bytes 0: no such plane */
};
extern const struct image_plane image_planes[FORMAT_COUNT][MOST_FURTHER_PLANES];

/* Returns the number of dimensions of images of a type as .ze_info or a kernel's source names it: "image_3d",
 * "image2d_media_block_t read_only". 0: not known, or with more properties, such as arrays of images. */
unsigned image_type_dimensions(const char *type);

/* Returns the elements in a row of a plane, or its rows. */
static inline size_t plane_extent(size_t of_image, size_t divisor)
{
    return (of_image + divisor - 1) / divisor;
}

#endif
