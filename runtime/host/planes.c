/* Computes the planes of an image on the CPU. See host_planes.h. */
#include "runtime/host/planes.h"

#include <assert.h>

/* The table's types, by Level Zero's names. */
static const uint32_t encodings[FORMAT_COUNT] = {
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE) CM_HOST_##TYPE,
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

/* Returns a plane of `width` elements of `bytes`, whose texels have no format. */
static struct cm_host_surface plane_at(unsigned char *rows, size_t width, size_t height, size_t bytes)
{
    assert(width * bytes <= UINT32_MAX && height <= UINT32_MAX);
    return (struct cm_host_surface){.base = rows,
                                    .size = width * height * bytes,
                                    .width = (uint32_t)(width * bytes),
                                    .height = (uint32_t)height,
                                    .pitch = (uint32_t)(width * bytes),
                                    .pixel = (uint32_t)bytes};
}

void host_place_planes(const cmrt_image *image, unsigned char *rows,
                       struct cm_host_surface planes[1 + MOST_FURTHER_PLANES])
{
    assert(rows && planes);
    const struct image_format *format = &image_formats[image->format];
    size_t further = cmrt_format_planes(image->format) - 1;
    planes[0] = plane_at(rows, image->width, image->height, format->bytes);
    if (!further) {
        planes[0].texel = (uint32_t)format->bytes;
        planes[0].channels = (uint32_t)format->channels;
        planes[0].encoding = encodings[image->format];
        planes[0].dimensions = image->dimensions;
        planes[0].depth = (uint32_t)image->depth;
        planes[0].slice = planes[0].size;
        planes[0].size *= image->depth;
        return;
    }
    planes[0].further_count = (uint32_t)further;
    planes[0].further = planes + 1;
    for (size_t i = 0; i < further; i++) {
        const struct image_plane *plane = &image_planes[image->format][i];
        rows += planes[i].size;
        planes[1 + i] = plane_at(rows, plane_extent(image->width, plane->across),
                                 plane_extent(image->height, plane->down), plane->bytes);
    }
}
