/* Transposes a matrix of floats in OpenCL C: width x height to height x width. */

/* A tile of 32x32 elements through local memory, rows of 33 so that a column's elements lie in different banks; a work
 * item takes four. After M. Harris, "An Efficient Matrix Transpose in CUDA C/C++". Groups of 32x8. */
__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void transpose_slm(const __global float *in, __global float *out, int width, int height)
{
    __local float tile[32][33];
    int column = get_local_id(0), row = get_local_id(1);
    int x = get_group_id(0) * 32 + column, y = get_group_id(1) * 32 + row;
#pragma unroll
    for (int i = 0; i < 32; i += 8)
        if (x < width && y + i < height)
            tile[row + i][column] = in[(y + i) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + column;
    y = get_group_id(0) * 32 + row;
#pragma unroll
    for (int i = 0; i < 32; i += 8)
        if (x < height && y + i < width)
            out[(y + i) * height + x] = tile[column][row + i];
}

/* A sub-group takes 16x16 elements: block reads of rows give each work item a column, which it writes as a row of the
 * result, four elements at a time. No exchange between work items. Groups of 16x1. */
__attribute__((intel_reqd_sub_group_size(16)))
__attribute__((reqd_work_group_size(16, 1, 1)))
__kernel void transpose_subgroup(const __global uint *in, __global uint *out, int width, int height)
{
    int x = get_group_id(0) * 16, y = get_group_id(1) * 16, lane = get_sub_group_local_id();
    if (x + 16 <= width && y + 16 <= height) {
        const __global uint *from = in + y * width + x;
        __global uint *to = out + (x + lane) * height + y;
        uint column[16];
#pragma unroll
        for (int i = 0; i < 16; i++)
            column[i] = intel_sub_group_block_read(from + i * width);
#pragma unroll
        for (int i = 0; i < 16; i += 4)
            vstore4((uint4)(column[i], column[i + 1], column[i + 2], column[i + 3]), 0, to + i);
    } else if (x + lane < width) {
        for (int i = 0; i < 16 && y + i < height; i++)
            out[(x + lane) * height + y + i] = in[(y + i) * width + x + lane];
    }
}

/* The same exchange among the work items of a sub-group: rows are turned by shuffles, and both sides use block
 * messages. Block writes need 16-byte addresses: heights are multiples of 4 there. Groups of 16x1. */
__attribute__((intel_reqd_sub_group_size(16)))
__attribute__((reqd_work_group_size(16, 1, 1)))
__kernel void transpose_shuffle(const __global uint *in, __global uint *out, int width, int height)
{
    int x = get_group_id(0) * 16, y = get_group_id(1) * 16, lane = get_sub_group_local_id();
    if (x + 16 <= width && y + 16 <= height && height % 4 == 0) {
        uint row[16];
#pragma unroll
        for (int i = 0; i < 16; i++)
            row[i] = intel_sub_group_block_read(in + (y + i) * width + x);
        /* halves, quarters, eighths, single columns change places: lane bit d against row bit d */
#pragma unroll
        for (int d = 8; d > 0; d /= 2)
#pragma unroll
            for (int i = 0; i < 16; i++)
                if (!(i & d)) {
                    uint keep = lane & d ? row[i + d] : row[i], give = lane & d ? row[i] : row[i + d];
                    uint got = intel_sub_group_shuffle_xor(give, d);
                    row[i] = lane & d ? got : keep;
                    row[i + d] = lane & d ? keep : got;
                }
#pragma unroll
        for (int i = 0; i < 16; i++)
            intel_sub_group_block_write(out + (x + i) * height + y, row[i]);
    } else if (x + lane < width) {
        for (int i = 0; i < 16 && y + i < height; i++)
            out[(x + lane) * height + y + i] = in[(y + i) * width + x + lane];
    }
}
