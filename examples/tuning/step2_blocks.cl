/* Step 2 in OpenCL C: packed bytes instead of RGBA floats. A sub-group reads three blocks of 16 bytes and 16 rows, a
 * pixel apart, by messages of cl_intel_media_block_io, and computes 14 rows of 16 bytes. Groups of 16x1. */
#include "media_blocks.h"

__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) __kernel void
blur(__read_only image2d_t src, __write_only image2d_t dst)
{
    int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 14);
    uchar left[16], here[16], right[16], mean[16];
    vstore16(intel_sub_group_media_block_read_uc16(at, 16, 16, src), 0, left);
    vstore16(intel_sub_group_media_block_read_uc16(at + (int2)(3, 0), 16, 16, src), 0, here);
    vstore16(intel_sub_group_media_block_read_uc16(at + (int2)(6, 0), 16, 16, src), 0, right);
#pragma unroll
    for (int i = 0; i < 14; i++) {
        float sum = 0;
#pragma unroll
        for (int k = i; k < i + 3; k++)
            sum += (float)left[k] + (float)here[k] + (float)right[k];
        mean[i] = convert_uchar(sum * 0.1111f);
    }
    write_rows(mean, at, dst);
}
