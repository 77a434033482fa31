/* C = alpha * A * B + beta * C for row-major matrices of floats. The variants and their names are those of "SGEMM for
 * Intel Processor Graphics" (Kong, Ioffe, 2015): method_HEIGHTxWIDTH of a work item's block_HEIGHTxWIDTH of the group.
 * (The article keeps matrices by columns; that is the same as A and B exchanged.) naive, L3_SLM and L3_SIMD take
 * buffers, block_read images; as in the article L3_SLM and L3_SIMD want sizes that are multiples of their tiles.
 * block_read takes any size: what lies beyond the last column of A is made 0, because a block repeats the edge of the
 * image there.
 *
 * The article's SIMD8 was the right choice for its parts; _1x16 is the same kernel for sub-groups of sixteen, which
 * halves the instructions.
 *
 * `cmbench tune` compiles one kernel at a time, with macros for its parameters: the end of this file. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

kernel void naive(global const float *a, global const float *b, global float *c, uint rows, uint columns, uint depth,
                  float alpha, float beta)
{
    uint column = get_global_id(0), row = get_global_id(1);
    if (column >= columns || row >= rows)
        return;
    float sum = 0;
    for (uint k = 0; k < depth; k++)
        sum += a[row * depth + k] * b[k * columns + column];
    c[row * columns + column] = alpha * sum + beta * c[row * columns + column];
}

/* A group of HEIGHT x 16 work items shares 16 columns of A in local memory; a work item has ROWS rows of WIDTH columns.
 */
#define L3_SLM(NAME, ROWS, WIDTH, HEIGHT)                                                                              \
    __attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, HEIGHT, 1))) kernel void    \
    NAME(global const float *a, global const float *b, global float *c, uint rows, uint columns, uint depth,           \
         float alpha, float beta)                                                                                      \
    {                                                                                                                  \
        local float tile[ROWS * HEIGHT][16];                                                                           \
        uint x = get_local_id(0), y = get_local_id(1);                                                                 \
        uint row = get_group_id(1) * ROWS * HEIGHT, column = get_group_id(0) * 16 * WIDTH + x * WIDTH;                 \
        float4 sum[ROWS][WIDTH / 4];                                                                                   \
        for (uint i = 0; i < ROWS; i++)                                                                                \
            for (uint w = 0; w < WIDTH / 4; w++)                                                                       \
                sum[i][w] = 0;                                                                                         \
        for (uint k = 0; k < depth; k += 16) {                                                                         \
            for (uint i = 0; i < ROWS; i++)                                                                            \
                tile[y * ROWS + i][x] = a[(row + y * ROWS + i) * depth + k + x];                                       \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            __attribute__((opencl_unroll_hint(1))) for (uint n = 0; n < 16; n += 2) {                                  \
                float4 upper[WIDTH / 4], lower[WIDTH / 4];                                                             \
                for (uint w = 0; w < WIDTH / 4; w++) {                                                                 \
                    upper[w] = vload4(w, b + (k + n) * columns + column);                                              \
                    lower[w] = vload4(w, b + (k + n + 1) * columns + column);                                          \
                }                                                                                                      \
                for (uint i = 0; i < ROWS; i++) {                                                                      \
                    float2 factors = vload2(0, &tile[y * ROWS + i][n]);                                                \
                    for (uint w = 0; w < WIDTH / 4; w++) {                                                             \
                        sum[i][w] = mad(factors.x, upper[w], sum[i][w]);                                               \
                        sum[i][w] = mad(factors.y, lower[w], sum[i][w]);                                               \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
        }                                                                                                              \
        for (uint i = 0; i < ROWS; i++)                                                                                \
            for (uint w = 0; w < WIDTH / 4; w++) {                                                                     \
                global float *to = c + (row + y * ROWS + i) * columns + column;                                        \
                vstore4(alpha *sum[i][w] + beta * vload4(w, to), w, to);                                               \
            }                                                                                                          \
    }

#define LANE(X, N)    intel_sub_group_shuffle(X, N)
#define ROW_OF(GROUP) (GROUP > 1 ? get_group_id(1) * GROUP + get_local_id(1) : get_group_id(1)) /* of sub-groups */

/* A sub-group has ROWS rows of WIDTH * SIZE columns: block reads of rows from buffers. A group has GROUP sub-groups,
 * one below the other; a BARRIER in each step keeps them together, so that they share what they read of B. */
#define L3_SIMD(NAME, SIZE, ROWS, WIDTH, GROUP, BARRIER)                                                               \
    __attribute__((intel_reqd_sub_group_size(SIZE))) __attribute__((reqd_work_group_size(SIZE, GROUP, 1))) kernel void \
    NAME(global const float *a, global const float *b, global float *c, uint rows, uint columns, uint depth,           \
         float alpha, float beta)                                                                                      \
    {                                                                                                                  \
        uint column = get_group_id(0) * WIDTH * SIZE, row = ROW_OF(GROUP) * ROWS;                                      \
        float sum[WIDTH][ROWS];                                                                                        \
        for (uint w = 0; w < WIDTH; w++)                                                                               \
            for (uint i = 0; i < ROWS; i++)                                                                            \
                sum[w][i] = 0;                                                                                         \
        uint at_a = row * depth, at_b = column;                                                                        \
        for (uint k = 0; k < depth; k += SIZE) {                                                                       \
            float right[WIDTH][SIZE];                                                                                  \
            __attribute__((opencl_unroll_hint)) for (uint n = 0; n < SIZE; n++) {                                      \
                for (uint w = 0; w < WIDTH; w++)                                                                       \
                    right[w][n] = as_float(intel_sub_group_block_read((global const uint *)b + at_b + w * SIZE));      \
                at_b += columns;                                                                                       \
            }                                                                                                          \
            uint at = at_a;                                                                                            \
            __attribute__((opencl_unroll_hint)) for (uint i = 0; i < ROWS; i++) {                                      \
                float left = as_float(intel_sub_group_block_read((global const uint *)a + at));                        \
                __attribute__((opencl_unroll_hint)) for (uint n = 0; n < SIZE; n++)                                    \
                    for (uint w = 0; w < WIDTH; w++)                                                                   \
                        sum[w][i] = mad(LANE(left, n), right[w][n], sum[w][i]);                                        \
                at += depth;                                                                                           \
            }                                                                                                          \
            at_a += SIZE;                                                                                              \
            if (BARRIER)                                                                                               \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
        }                                                                                                              \
        for (uint i = 0; i < ROWS; i++)                                                                                \
            for (uint w = 0; w < WIDTH; w++) {                                                                         \
                global float *to = c + (row + i) * columns + column + w * SIZE + get_sub_group_local_id();             \
                *to = alpha * sum[w][i] + beta * *to;                                                                  \
            }                                                                                                          \
    }

/* A step of block_read along the depth: SIZE columns of A, PART rows at a time. KEEP leaves out what does not count. */
#define BLOCK_STEP(SIZE, WIDTH, ROWS, PART, KEEP)                                                                      \
    for (uint w = 0; w < WIDTH; w++)                                                                                   \
        for (uint n = 0; n < SIZE / 8; n++)                                                                            \
            right[w][n] = as_float8(intel_sub_group_block_read8(b, (int2)((column + w * SIZE) * 4, k + n * 8)));       \
    __attribute__((opencl_unroll_hint)) for (uint i = 0; i < ROWS / PART; i++) {                                       \
        float##PART left = as_float##PART(intel_sub_group_block_read##PART(a, (int2)(k * 4, row + i * PART)));         \
        KEEP;                                                                                                          \
        __attribute__((opencl_unroll_hint)) for (uint n = 0; n < SIZE; n++)                                            \
            for (uint w = 0; w < WIDTH; w++)                                                                           \
                sum[w][i] = mad(LANE(left, n), right[w][n / 8][n % 8], sum[w][i]);                                     \
    }

/* A sub-group has ROWS rows of WIDTH * SIZE columns, a group GROUP sub-groups. c and result are one image. */
#define BLOCK_READ(NAME, SIZE, ROWS, WIDTH, PART, GROUP, BARRIER)                                                      \
    __attribute__((intel_reqd_sub_group_size(SIZE))) __attribute__((reqd_work_group_size(SIZE, GROUP, 1))) kernel void \
    NAME(read_only image2d_t a, read_only image2d_t b, read_only image2d_t c, write_only image2d_t result, uint depth, \
         float alpha, float beta)                                                                                      \
    {                                                                                                                  \
        int column = get_group_id(0) * WIDTH * SIZE, row = ROW_OF(GROUP) * ROWS;                                       \
        float##PART sum[WIDTH][ROWS / PART];                                                                           \
        float8 right[WIDTH][SIZE / 8];                                                                                 \
        uint k = 0;                                                                                                    \
        for (uint w = 0; w < WIDTH; w++)                                                                               \
            for (uint i = 0; i < ROWS / PART; i++)                                                                     \
                sum[w][i] = 0;                                                                                         \
        for (; k + SIZE <= depth; k += SIZE) {                                                                         \
            BLOCK_STEP(SIZE, WIDTH, ROWS, PART, )                                                                      \
            if (BARRIER)                                                                                               \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
        }                                                                                                              \
        if (k < depth) {                                                                                               \
            BLOCK_STEP(SIZE, WIDTH, ROWS, PART, left = get_sub_group_local_id() < depth - k ? left : 0)                \
        }                                                                                                              \
        for (uint i = 0; i < ROWS / PART; i++)                                                                         \
            for (uint w = 0; w < WIDTH; w++) {                                                                         \
                int2 at = (int2)((column + w * SIZE) * 4, row + i * PART);                                             \
                float##PART old = as_float##PART(intel_sub_group_block_read##PART(c, at));                             \
                intel_sub_group_block_write##PART(result, at, as_uint##PART(alpha *sum[w][i] + beta * old));           \
            }                                                                                                          \
    }

#if defined FAMILY_L3_SLM
L3_SLM(L3_SLM, ROWS, WIDTH, HEIGHT)
#elif defined FAMILY_L3_SIMD
L3_SIMD(L3_SIMD, SIZE, ROWS, WIDTH, GROUP, BARRIER)
#elif defined FAMILY_block_read
BLOCK_READ(block_read, SIZE, ROWS, WIDTH, 8, GROUP, BARRIER)
#elif !defined FAMILY_naive
L3_SLM(L3_SLM_4x4_8x16, 4, 4, 8)
L3_SIMD(L3_SIMD_16x2_1x8, 8, 16, 2, 1, 0)
L3_SIMD(L3_SIMD_32x2_1x8, 8, 32, 2, 1, 0)
L3_SIMD(L3_SIMD_32x1_1x16, 16, 32, 1, 1, 0)
BLOCK_READ(block_read_32x2_1x8, 8, 32, 2, 8, 1, 0)
BLOCK_READ(block_read_32x1_1x8, 8, 32, 1, 8, 1, 0)
BLOCK_READ(block_read_32x1_1x16, 16, 32, 1, 8, 1, 0)
#endif
