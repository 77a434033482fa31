/* C = alpha * A * B + beta * C for row-major matrices of floats. The variants and their names are those of "SGEMM for
 * Intel Processor Graphics" (Kong, Ioffe, 2015): method_HEIGHTxWIDTH of a work item's block_HEIGHTxWIDTH of the group.
 * (The article keeps matrices by columns; that is the same as A and B exchanged.) naive, L3_SLM and L3_SIMD take
 * buffers, block_read images; as in the article L3_SLM and L3_SIMD want sizes that are multiples of their tiles.
 * block_read takes any size: what lies beyond the last column of A is made 0, because a block repeats the edge of the
 * image there.
 *
 * The article's SIMD8 was the right choice for its parts; _1x16 is the same kernel for sub-groups of sixteen, which
 * halves the instructions. */
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

/* A group of 8 x 16 work items shares a 32 x 16 tile of A in local memory; a work item has 4 rows of 4 columns. */
__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 8, 1))) kernel void
L3_SLM_4x4_8x16(global const float *a, global const float *b, global float *c, uint rows, uint columns, uint depth,
                float alpha, float beta)
{
    local float tile[32][16];
    uint x = get_local_id(0), y = get_local_id(1);
    uint row = get_group_id(1) * 32, column = get_group_id(0) * 64 + x * 4;
    float4 sum[4];
    for (uint i = 0; i < 4; i++)
        sum[i] = 0;

    for (uint k = 0; k < depth; k += 16) {
        for (uint i = 0; i < 4; i++)
            tile[y * 4 + i][x] = a[(row + y * 4 + i) * depth + k + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        __attribute__((opencl_unroll_hint(1))) for (uint n = 0; n < 16; n += 2) {
            float4 upper = vload4(0, b + (k + n) * columns + column);
            float4 lower = vload4(0, b + (k + n + 1) * columns + column);
            for (uint i = 0; i < 4; i++) {
                float2 factors = vload2(0, &tile[y * 4 + i][n]);
                sum[i] = mad(factors.x, upper, sum[i]);
                sum[i] = mad(factors.y, lower, sum[i]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < 4; i++) {
        global float *to = c + (row + y * 4 + i) * columns + column;
        vstore4(alpha * sum[i] + beta * vload4(0, to), 0, to);
    }
}

#define LANE(X, N) intel_sub_group_shuffle(X, N)

/* A sub-group has ROWS rows of WIDTH * SIZE columns: block reads of rows from buffers. */
#define L3_SIMD(NAME, SIZE, ROWS, WIDTH)                                                                               \
    __attribute__((intel_reqd_sub_group_size(SIZE))) __attribute__((reqd_work_group_size(SIZE, 1, 1))) kernel void     \
    NAME(global const float *a, global const float *b, global float *c, uint rows, uint columns, uint depth,           \
         float alpha, float beta)                                                                                      \
    {                                                                                                                  \
        uint column = get_group_id(0) * WIDTH * SIZE, row = get_group_id(1) * ROWS;                                    \
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
        }                                                                                                              \
        for (uint i = 0; i < ROWS; i++)                                                                                \
            for (uint w = 0; w < WIDTH; w++) {                                                                         \
                global float *to = c + (row + i) * columns + column + w * SIZE + get_sub_group_local_id();             \
                *to = alpha * sum[w][i] + beta * *to;                                                                  \
            }                                                                                                          \
    }

L3_SIMD(L3_SIMD_16x2_1x8, 8, 16, 2)
L3_SIMD(L3_SIMD_32x2_1x8, 8, 32, 2)
L3_SIMD(L3_SIMD_32x1_1x16, 16, 32, 1)

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

/* A sub-group has ROWS rows of WIDTH * SIZE columns. c and result are one image. */
#define BLOCK_READ(NAME, SIZE, ROWS, WIDTH, PART)                                                                      \
    __attribute__((intel_reqd_sub_group_size(SIZE))) __attribute__((reqd_work_group_size(SIZE, 1, 1))) kernel void     \
    NAME(read_only image2d_t a, read_only image2d_t b, read_only image2d_t c, write_only image2d_t result, uint depth, \
         float alpha, float beta)                                                                                      \
    {                                                                                                                  \
        int column = get_group_id(0) * WIDTH * SIZE, row = get_group_id(1) * ROWS;                                     \
        float##PART sum[WIDTH][ROWS / PART];                                                                           \
        float8 right[WIDTH][SIZE / 8];                                                                                 \
        uint k = 0;                                                                                                    \
        for (uint w = 0; w < WIDTH; w++)                                                                               \
            for (uint i = 0; i < ROWS / PART; i++)                                                                     \
                sum[w][i] = 0;                                                                                         \
        for (; k + SIZE <= depth; k += SIZE) {                                                                         \
            BLOCK_STEP(SIZE, WIDTH, ROWS, PART, )                                                                      \
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

BLOCK_READ(block_read_32x2_1x8, 8, 32, 2, 8)
BLOCK_READ(block_read_32x1_1x8, 8, 32, 1, 8)
BLOCK_READ(block_read_32x1_1x16, 16, 32, 1, 8)
