// 3x3 convolution as a product of matrices. A sub-group computes ROWS rows of eight pixels for TILES tiles of outputs.
// LANES: of a sub-group, which is the outputs of a tile.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define PIXELS 8
#define PANEL  4 // tiles of outputs that are together in memory
#define TILE   (8 * LANES)

// Eight pixels of 16 channels; a dword has two channels.
#if LANES == 16
typedef short8 left_tile; // a channel a lane
#define READ_LEFT(P) as_short8(intel_sub_group_block_read_us8((const global ushort *)(P)))
#else
typedef int8 left_tile; // two channels a lane
#define READ_LEFT(P) as_int8(intel_sub_group_block_read8(P))
#endif

// Debian 12's compiler has the function, but does not declare it.
#ifndef cl_intel_subgroup_matrix_multiply_accumulate
float8 __attribute__((overloadable)) intel_sub_group_f16_f16_matrix_mad_k16(left_tile a, int8 b, float8 sum);
#endif
#define MAD intel_sub_group_f16_f16_matrix_mad_k16

// The 16 channels of eight pixels side by side.
#if LANES == 16
#define WRITE(TO, SUM, BIAS, T) intel_sub_group_block_write_us8(TO, as_ushort8(convert_half8(SUM[T] + BIAS[T])));
#define IN_BLOCK                1
#else
#define WRITE(TO, SUM, BIAS, T)                                                                                        \
    {                                                                                                                  \
        ushort8 a = as_ushort8(convert_half8(SUM[T] + BIAS[T])),                                                       \
                b = as_ushort8(convert_half8(SUM[T + 1] + BIAS[T + 1]));                                               \
        intel_sub_group_block_write_us8(TO, (ushort8)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3));                \
        intel_sub_group_block_write_us8((TO) + 64, (ushort8)(a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7));         \
    }
#define IN_BLOCK 2
#endif

#define UNROLL __attribute__((opencl_unroll_hint))

// HOLD: the rows of the input are read once for each column of the window, else for each place.
#define CONVOLVE(NAME, ROWS, TILES, HOLD)                                                                              \
    __attribute__((intel_reqd_sub_group_size(LANES))) __kernel void NAME(                                              \
        const global uint *in, const global uint *weights, const global float *bias, global ushort *out, uint blocks,  \
        uint width, uint in_rows)                                                                                      \
    {                                                                                                                  \
        uint x = get_group_id(0) * PIXELS, y = get_group_id(1) * ROWS, first = get_group_id(2) * TILES;                \
        uint row = (width + 2) * 8, plane = in_rows * row; /* with the frame, dwords */                                \
        uint at = y * row + x * 8, weights_at = (first / PANEL * blocks * 9 * PANEL + first % PANEL) * TILE;           \
        float8 sum[ROWS][TILES];                                                                                       \
        UNROLL for (int i = 0; i < ROWS; i++) UNROLL for (int t = 0; t < TILES; t++) sum[i][t] = 0;                    \
        for (uint k = 0; k < blocks; k++) {                                                                            \
            for (int dx = 0; dx < 3; dx++) {                                                                           \
                left_tile left[ROWS + 2];                                                                              \
                if (HOLD)                                                                                              \
                    UNROLL for (int i = 0; i < ROWS + 2; i++) left[i] = READ_LEFT(in + at + i * row + dx * 8);         \
                UNROLL for (int dy = 0; dy < 3; dy++)                                                                  \
                {                                                                                                      \
                    if (!HOLD)                                                                                         \
                        UNROLL for (int i = 0; i < ROWS; i++) left[i + dy] =                                           \
                            READ_LEFT(in + at + (i + dy) * row + dx * 8);                                              \
                    UNROLL for (int t = 0; t < TILES; t++)                                                             \
                    {                                                                                                  \
                        int8 right = as_int8(                                                                          \
                            intel_sub_group_block_read8(weights + weights_at + ((dx * 3 + dy) * PANEL + t) * TILE));   \
                        UNROLL for (int i = 0; i < ROWS; i++) sum[i][t] = MAD(left[i + dy], right, sum[i][t]);         \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
            at += plane;                                                                                               \
            weights_at += 9 * PANEL * TILE;                                                                            \
        }                                                                                                              \
        float start[TILES]; /* added last: sums that start with it do not fit the registers */                         \
        UNROLL for (int t = 0; t < TILES; t++) start[t] =                                                              \
            as_float(intel_sub_group_block_read((const global uint *)(bias + (first + t) * LANES)));                   \
        uint out_row = width * 16, out_plane = (in_rows - 2) * out_row; /* halves */                                   \
        UNROLL for (int i = 0; i < ROWS; i++) UNROLL for (int t = 0; t < TILES; t += IN_BLOCK)                         \
            WRITE(out + (first + t) / IN_BLOCK * out_plane + (y + i) * out_row + x * 16, sum[i], start, t)             \
    }

CONVOLVE(tile_4x4, 4, 4, 1)
CONVOLVE(tile_4x4_again, 4, 4, 0)
CONVOLVE(tile_4x2, 4, 2, 1)
CONVOLVE(tile_2x2, 2, 2, 1)
