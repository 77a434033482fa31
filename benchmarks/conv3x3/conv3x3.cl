/* 3x3 convolution of a network layer, stride 1, one pixel of padding, then max(0, x). All arrays are buffers of floats:
 * in: channel after channel, rows of `stride` pixels with a frame of zeros, `height` of them; weights: sixteen output
 * channels side by side, [block of sixteen][channel][dy][dx][16]; out: [block of sixteen][row][column][16], `pitch`
 * rows a block. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

/* A result a work item: sixteen output channels side by side in a group. */
kernel void naive(global const float *in, global const float *weights, global const float *bias, global float *out,
                  uint channels, uint stride, uint height, uint width, uint pitch)
{
    uint lane = get_global_id(0) % 16, x = get_global_id(0) / 16, y = get_global_id(1), block = get_global_id(2);
    if (x >= width)
        return;
    float sum = bias[block * 16 + lane];
    for (uint c = 0; c < channels; c++)
        for (uint dy = 0; dy < 3; dy++)
            for (uint dx = 0; dx < 3; dx++)
                sum = mad(in[(c * height + y + dy) * stride + x + dx],
                          weights[((block * channels + c) * 9 + dy * 3 + dx) * 16 + lane], sum);
    out[((block * pitch + y) * width + x) * 16 + lane] = max(sum, 0.0f);
}

/* A sub-group has sixteen output channels of ROWS x COLUMNS pixels; rows of pixels are sub-group reads, their lanes
 * broadcast. */
#define SUBGROUP(NAME, ROWS, COLUMNS)                                                                                  \
    __attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) kernel void NAME(   \
        global const float *in, global const float *weights, global const float *bias, global float *out,              \
        uint channels, uint stride, uint height, uint width, uint pitch)                                               \
    {                                                                                                                  \
        uint x = get_group_id(0) * COLUMNS, y = get_group_id(1) * ROWS, block = get_group_id(2);                       \
        uint lane = get_sub_group_local_id();                                                                          \
        float sum[ROWS][COLUMNS];                                                                                      \
        for (uint i = 0; i < ROWS; i++)                                                                                \
            for (uint j = 0; j < COLUMNS; j++)                                                                         \
                sum[i][j] = bias[block * 16 + lane];                                                                   \
        uint from = y * stride + x, weight = block * channels * 144;                                                   \
        for (uint c = 0; c < channels; c++) {                                                                          \
            float pixels[ROWS + 2];                                                                                    \
            uint at = from;                                                                                            \
            __attribute__((opencl_unroll_hint)) for (uint i = 0; i < ROWS + 2; i++) {                                  \
                pixels[i] = as_float(intel_sub_group_block_read((global const uint *)in + at));                        \
                at += stride;                                                                                          \
            }                                                                                                          \
            float8 factors = as_float8(intel_sub_group_block_read8((global const uint *)weights + weight));            \
            float last = as_float(intel_sub_group_block_read((global const uint *)weights + weight + 128));            \
            __attribute__((opencl_unroll_hint)) for (uint t = 0; t < 9; t++) {                                         \
                float factor = t < 8 ? factors[t & 7] : last;                                                          \
                __attribute__((opencl_unroll_hint)) for (uint i = 0; i < ROWS; i++) __attribute__                      \
                    ((opencl_unroll_hint)) for (uint j = 0; j < COLUMNS; j++) sum[i][j] =                              \
                        mad(intel_sub_group_shuffle(pixels[i + t / 3], j + t % 3), factor, sum[i][j]);                 \
            }                                                                                                          \
            from += height * stride;                                                                                   \
            weight += 144;                                                                                             \
        }                                                                                                              \
        for (uint i = 0; i < ROWS; i++)                                                                                \
            for (uint j = 0; j < COLUMNS; j++)                                                                         \
                if (x + j < width)                                                                                     \
                    intel_sub_group_block_write((global uint *)out + ((block * pitch + y + i) * width + x + j) * 16,   \
                                                as_uint(max(sum[i][j], 0.0f)));                                        \
    }

#ifdef FAMILY_subgroup /* cmbench tune */
SUBGROUP(subgroup, TILE_ROWS, TILE_COLUMNS)
#else
SUBGROUP(subgroup_4x7, 4, 7)
SUBGROUP(subgroup_2x14, 2, 14)
SUBGROUP(subgroup_2x7, 2, 7)
#endif
