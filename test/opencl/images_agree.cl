/* Reads and writes of images, for every kind of image and element; agree_images.c compares GPU and CPU.
 *
 * read_KIND_TYPE   three reads for each item: with a sampler at float and at integer coordinates, and without one at
 * the item's own pixel write_KIND_TYPE  one write at the item's own pixel size_KIND        what the queries say */

/* AT(V): the coordinates that the kind has, of a vector V of four. LAYERED kinds have the layer behind them. */
#define READ(KIND, IMAGE, AT, TYPE, SUFFIX)                                                                            \
    kernel void read_##KIND##_##TYPE(read_only IMAGE image, sampler_t sampler, global const float4 *places,            \
                                     global const int4 *pixels, global TYPE##4 *out)                                   \
    {                                                                                                                  \
        size_t id = get_global_id(0);                                                                                  \
        float4 place = places[id];                                                                                     \
        int4 pixel = pixels[id];                                                                                       \
        out[3 * id] = read_image##SUFFIX(image, sampler, place.AT);                                                    \
        out[3 * id + 1] = read_image##SUFFIX(image, sampler, convert_int4_rtn(place).AT);                              \
        out[3 * id + 2] = read_image##SUFFIX(image, pixel.AT);                                                         \
    }
#define WRITE(KIND, IMAGE, AT, TYPE, SUFFIX)                                                                           \
    kernel void write_##KIND##_##TYPE(write_only IMAGE image, global const int4 *pixels, global const TYPE##4 *values) \
    {                                                                                                                  \
        size_t id = get_global_id(0);                                                                                  \
        write_image##SUFFIX(image, pixels[id].AT, values[id]);                                                         \
    }
#define KINDS(KIND, IMAGE, AT)                                                                                         \
    READ(KIND, IMAGE, AT, float, f)                                                                                    \
    READ(KIND, IMAGE, AT, int, i)                                                                                      \
    READ(KIND, IMAGE, AT, uint, ui)                                                                                    \
    WRITE(KIND, IMAGE, AT, float, f)                                                                                   \
    WRITE(KIND, IMAGE, AT, int, i)                                                                                     \
    WRITE(KIND, IMAGE, AT, uint, ui)

#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

KINDS(1d, image1d_t, x)
KINDS(1d_array, image1d_array_t, xy)
KINDS(2d, image2d_t, xy)
KINDS(2d_array, image2d_array_t, xyzw)
KINDS(3d, image3d_t, xyzw)

#define BUFFER(TYPE, SUFFIX)                                                                                           \
    kernel void read_buffer_##TYPE(read_only image1d_buffer_t image, sampler_t sampler, global const float4 *places,   \
                                   global const int4 *pixels, global TYPE##4 *out)                                     \
    {                                                                                                                  \
        size_t id = get_global_id(0);                                                                                  \
        out[3 * id] = out[3 * id + 1] = out[3 * id + 2] = read_image##SUFFIX(image, pixels[id].x);                     \
    }                                                                                                                  \
    WRITE(buffer, image1d_buffer_t, x, TYPE, SUFFIX)
BUFFER(float, f)
BUFFER(int, i)
BUFFER(uint, ui)

kernel void size_1d(read_only image1d_t image, global int4 *out)
{
    *out = (int4)(get_image_width(image), 0, 0,
                  get_image_channel_order(image) * 65536 + get_image_channel_data_type(image));
}

kernel void size_1d_array(read_only image1d_array_t image, global int4 *out)
{
    *out = (int4)(get_image_width(image), (int)get_image_array_size(image), 0,
                  get_image_channel_order(image) * 65536 + get_image_channel_data_type(image));
}

kernel void size_2d(read_only image2d_t image, global int4 *out)
{
    *out = (int4)(get_image_dim(image), 0, get_image_channel_order(image) * 65536 + get_image_channel_data_type(image));
}

kernel void size_2d_array(read_only image2d_array_t image, global int4 *out)
{
    *out = (int4)(get_image_dim(image), (int)get_image_array_size(image),
                  get_image_channel_order(image) * 65536 + get_image_channel_data_type(image));
}

kernel void size_3d(read_only image3d_t image, global int4 *out)
{
    *out =
        (int4)(get_image_dim(image).xyz, get_image_channel_order(image) * 65536 + get_image_channel_data_type(image));
}

kernel void size_buffer(read_only image1d_buffer_t image, global int4 *out)
{
    *out = (int4)(get_image_width(image), 0, 0,
                  get_image_channel_order(image) * 65536 + get_image_channel_data_type(image));
}
