/* Looks up image formats: the rows of image_formats.def. */
#include "runtime/formats.h"

#include <string.h>

const struct image_format image_formats[FORMAT_COUNT] = {
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE) {NAME, BYTES, CHANNELS},
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

const struct image_plane image_planes[FORMAT_COUNT][MOST_FURTHER_PLANES] = {
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE)
#define IMAGE_PLANE(ID, NUMBER, BYTES, ACROSS, DOWN) [CMRT_FORMAT_##ID][NUMBER - 1] = {BYTES, ACROSS, DOWN},
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

static const char is_packed[FORMAT_COUNT] = {
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE)
#define IMAGE_PACKED(ID) [CMRT_FORMAT_##ID] = 1,
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

int image_format_is_packed(enum cmrt_format format)
{
    return is_image_format(format) && is_packed[format];
}

enum cmrt_format cmrt_format_find(const char *name)
{
    for (int i = 0; name && i < FORMAT_COUNT; i++)
        if (strcmp(image_formats[i].name, name) == 0)
            return (enum cmrt_format)i;
    return CMRT_FORMAT_NONE;
}

const char *cmrt_format_name(enum cmrt_format format)
{
    return is_image_format(format) ? image_formats[format].name : NULL;
}
size_t cmrt_format_bytes(enum cmrt_format format)
{
    return is_image_format(format) ? image_formats[format].bytes : 0;
}
size_t cmrt_format_channels(enum cmrt_format format)
{
    return is_image_format(format) ? image_formats[format].channels : 0;
}
size_t cmrt_format_planes(enum cmrt_format format)
{
    size_t count = is_image_format(format);
    while (count && count <= MOST_FURTHER_PLANES && image_planes[format][count - 1].bytes)
        count++;
    return count;
}

size_t cmrt_image_bytes(enum cmrt_format format, size_t width, size_t height)
{
    if (!is_image_format(format))
        return 0;
    size_t bytes = width * height * image_formats[format].bytes;
    for (size_t i = 1; i < cmrt_format_planes(format); i++) {
        const struct image_plane *plane = &image_planes[format][i - 1];
        bytes += plane_extent(width, plane->across) * plane_extent(height, plane->down) * plane->bytes;
    }
    return bytes;
}

unsigned image_type_dimensions(const char *type)
{
    static const char *const ends[] = {"", "_t", "_media_block", "_media_block_t"};
    if (strncmp(type, "image", 5) != 0)
        return 0;
    type += type[5] == '_' ? 6 : 5;
    if (*type < '1' || *type > '3' || type[1] != 'd')
        return 0;
    size_t length = strcspn(type + 2, " ");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strlen(ends[i]) == length && memcmp(type + 2, ends[i], length) == 0)
            return (unsigned)(*type - '0');
    return 0;
}
