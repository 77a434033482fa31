/* C = alpha * A * B + beta * C for row-major matrices of doubles in buffers; the names as in ../sgemm/sgemm.cl. naive
 * takes any size; L3_SIMD wants sizes that are multiples of its tile and rows of whole 16 bytes. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

kernel void naive(global const double *a, global const double *b, global double *c, uint rows, uint columns, uint depth,
                  double alpha, double beta)
{
    uint column = get_global_id(0), row = get_global_id(1);
    if (column >= columns || row >= rows)
        return;
    double sum = 0;
    for (uint k = 0; k < depth; k++)
        sum += a[row * depth + k] * b[k * columns + column];
    c[row * columns + column] = alpha * sum + beta * c[row * columns + column];
}

/* A sub-group has ROWS rows of WIDTH * 8 columns: reads rows of eight doubles. */
#define L3_SIMD(NAME, ROWS, WIDTH)                                                                                     \
    __attribute__((intel_reqd_sub_group_size(8))) __attribute__((reqd_work_group_size(8, 1, 1))) kernel void NAME(     \
        global const double *a, global const double *b, global double *c, uint rows, uint columns, uint depth,         \
        double alpha, double beta)                                                                                     \
    {                                                                                                                  \
        uint column = get_group_id(0) * WIDTH * 8, row = get_group_id(1) * ROWS;                                       \
        double sum[WIDTH][ROWS];                                                                                       \
        for (uint w = 0; w < WIDTH; w++)                                                                               \
            for (uint i = 0; i < ROWS; i++)                                                                            \
                sum[w][i] = 0;                                                                                         \
        uint at_a = row * depth, at_b = column;                                                                        \
        for (uint k = 0; k < depth; k += 8) {                                                                          \
            double left[ROWS];                                                                                         \
            uint at = at_a;                                                                                            \
            for (uint i = 0; i < ROWS; i++) {                                                                          \
                left[i] = as_double(intel_sub_group_block_read_ul((global const ulong *)a + at));                      \
                at += depth;                                                                                           \
            }                                                                                                          \
            __attribute__((opencl_unroll_hint)) for (uint n = 0; n < 8; n++) {                                         \
                double right[WIDTH];                                                                                   \
                for (uint w = 0; w < WIDTH; w++)                                                                       \
                    right[w] = as_double(intel_sub_group_block_read_ul((global const ulong *)b + at_b + w * 8));       \
                at_b += columns;                                                                                       \
                for (uint i = 0; i < ROWS; i++) {                                                                      \
                    double factor = intel_sub_group_shuffle(left[i], n);                                               \
                    for (uint w = 0; w < WIDTH; w++)                                                                   \
                        sum[w][i] = fma(factor, right[w], sum[w][i]);                                                  \
                }                                                                                                      \
            }                                                                                                          \
            at_a += 8;                                                                                                 \
        }                                                                                                              \
        for (uint i = 0; i < ROWS; i++)                                                                                \
            for (uint w = 0; w < WIDTH; w++) {                                                                         \
                global double *to = c + (row + i) * columns + column + w * 8 + get_sub_group_local_id();               \
                *to = alpha * sum[w][i] + beta * *to;                                                                  \
            }                                                                                                          \
    }

L3_SIMD(L3_SIMD_8x4_1x8, 8, 4)
L3_SIMD(L3_SIMD_16x2_1x8, 16, 2)
L3_SIMD(L3_SIMD_8x2_1x8, 8, 2)
