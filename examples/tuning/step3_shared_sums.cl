/* Step 3 in OpenCL C: sums of three neighbours in 16 bits, which serve three rows each. Groups of 16x1. */
#include "media_blocks.h"

__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) __kernel void
blur(__read_only image2d_t src, __write_only image2d_t dst)
{
    int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 14);
    ushort16 sides = convert_ushort16(intel_sub_group_media_block_read_uc16(at, 16, 16, src)) +
                     convert_ushort16(intel_sub_group_media_block_read_uc16(at + (int2)(3, 0), 16, 16, src)) +
                     convert_ushort16(intel_sub_group_media_block_read_uc16(at + (int2)(6, 0), 16, 16, src));
    ushort row[16];
    uchar mean[16];
    vstore16(sides, 0, row);
#pragma unroll
    for (int i = 0; i < 14; i++)
        mean[i] = convert_uchar((float)(row[i] + row[i + 1] + row[i + 2]) * 0.1111f);
    write_rows(mean, at, dst);
}
