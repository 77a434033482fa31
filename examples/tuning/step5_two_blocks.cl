/* Step 5 in OpenCL C: two blocks side by side instead of three that overlap; what lies a pixel and two pixels on comes
 * from other work items. Groups of 16x1. */
#include "media_blocks.h"

__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) __kernel void
blur(__read_only image2d_t src, __write_only image2d_t dst)
{
    int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 14);
    uchar here[16], right[16], mean[16];
    ushort row[16];
    vstore16(intel_sub_group_media_block_read_uc16(at, 16, 16, src), 0, here);
    vstore16(intel_sub_group_media_block_read_uc16(at + (int2)(16, 0), 16, 16, src), 0, right);
#pragma unroll
    for (int i = 0; i < 16; i++)
        row[i] = here[i] + intel_sub_group_shuffle_down((ushort)here[i], (ushort)right[i], 3u) +
                 intel_sub_group_shuffle_down((ushort)here[i], (ushort)right[i], 6u);
#pragma unroll
    for (int i = 0; i < 14; i++)
        mean[i] = (uint)(ushort)(row[i] + row[i + 1] + row[i + 2]) * 1863949u >> 24;
    write_rows(mean, at, dst);
}
