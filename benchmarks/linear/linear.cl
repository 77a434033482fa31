/* 3x3 box blur, Algorithm 1 of "C-for-Metal: High Performance SIMD Programming on Intel GPUs" (CGO 2021): a work item
 * for each pixel, nine reads through the sampler. OpenCL has no images of three channels, so pixels are RGBA of
 * unsigned normalised bytes; the sampler delivers 0..1 and the image write turns 0..1 into bytes, rounding to nearest.
 * The paper converts to uint4 before writing, which would leave nothing of values between 0 and 1; here the write
 * converts. */
__kernel void linear(__read_only image2d_t src, __write_only image2d_t dst, int width, int height)
{
    const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = get_global_id(0);
    int y = get_global_id(1);
    float4 sum = 0.0f;

#pragma unroll
    for (int i = -1; i <= 1; i++) {
#pragma unroll
        for (int j = -1; j <= 1; j++) {
            int column = min(width - 1, max(0, x + j));
            int row = min(height - 1, max(0, y + i));
            sum.xyz += read_imagef(src, sampler, (int2)(column, row)).xyz;
        }
    }
    /* the last group of a row can reach beyond the picture */
    if (x < width && y < height)
        write_imagef(dst, (int2)(x, y), (float4)(sum.xyz * 0.1111f, 1.0f));
}

/* cl_intel_media_block_io; Debian's ocloc has the functions but not their declarations. */
uchar16 __attribute__((overloadable)) intel_sub_group_media_block_read_uc16(int2 at, int width, int rows,
                                                                            read_only image2d_t image);
void __attribute__((overloadable)) intel_sub_group_media_block_write_uc8(int2 at, int width, int rows, uchar8 pixels,
                                                                         write_only image2d_t image);
void __attribute__((overloadable)) intel_sub_group_media_block_write_uc4(int2 at, int width, int rows, uchar4 pixels,
                                                                         write_only image2d_t image);
void __attribute__((overloadable)) intel_sub_group_media_block_write_uc2(int2 at, int width, int rows, uchar2 pixels,
                                                                         write_only image2d_t image);

/* Sums of three rows each, and their means, cut to bytes as in linear.cm; 14 rows of 16 bytes. */
void write_means(ushort16 sides, int2 at, write_only image2d_t dst)
{
    ushort row[16];
    uchar mean[16];
    vstore16(sides, 0, row);
#pragma unroll
    for (int i = 0; i < 14; i++)
        mean[i] = (uint)(ushort)(row[i] + row[i + 1] + row[i + 2]) * 1863949u >>
                  24; /* linear.cm's * 0.1111f: shared_sums.cm */
    intel_sub_group_media_block_write_uc8(at, 16, 8, vload8(0, mean), dst);
    intel_sub_group_media_block_write_uc4(at + (int2)(0, 8), 16, 4, vload4(2, mean), dst);
    intel_sub_group_media_block_write_uc2(at + (int2)(0, 12), 16, 2, vload2(6, mean), dst);
}

/* Packed RGB as bytes, the layout of linear.cm: a sub-group reads three blocks of 16 bytes and 16 rows, a pixel apart.
 * Groups of 16x1. */
__attribute__((intel_reqd_sub_group_size(16)))
__attribute__((reqd_work_group_size(16, 1, 1)))
__kernel void linear_media_block(__read_only image2d_t src, __write_only image2d_t dst)
{
    int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 14);
    ushort16 sides = convert_ushort16(intel_sub_group_media_block_read_uc16(at, 16, 16, src)) +
                     convert_ushort16(intel_sub_group_media_block_read_uc16(at + (int2)(3, 0), 16, 16, src)) +
                     convert_ushort16(intel_sub_group_media_block_read_uc16(at + (int2)(6, 0), 16, 16, src));
    write_means(sides, at, dst);
}

/* The same with two blocks side by side; what lies a pixel and two pixels on comes from other work items. */
__attribute__((intel_reqd_sub_group_size(16)))
__attribute__((reqd_work_group_size(16, 1, 1)))
__kernel void linear_shuffle(__read_only image2d_t src, __write_only image2d_t dst)
{
    int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 14);
    uchar here[16], right[16];
    ushort sides[16];
    vstore16(intel_sub_group_media_block_read_uc16(at, 16, 16, src), 0, here);
    vstore16(intel_sub_group_media_block_read_uc16(at + (int2)(16, 0), 16, 16, src), 0, right);
#pragma unroll
    for (int i = 0; i < 16; i++)
        sides[i] = here[i] + intel_sub_group_shuffle_down((ushort)here[i], (ushort)right[i], 3u) +
                   intel_sub_group_shuffle_down((ushort)here[i], (ushort)right[i], 6u);
    write_means(vload16(0, sides), at, dst);
}
