// C = A * B by the systolic array: half, bf16, bytes and tf32. A sub-group computes up to 32 rows of four tiles.
// LANES: of a sub-group, which is the width of the array.
#if LANES == 16
typedef short8 row_tile; // a row of a tile: two bytes a lane
#define READ_row(P) as_short8(intel_sub_group_block_read_us8((const __global ushort *)(P)))
#else
typedef int8 row_tile; // four bytes a lane
#define READ_row(P) as_int8(intel_sub_group_block_read8((const __global uint *)(P)))
#endif

// Moving pointers take the fewest instructions where 64-bit integers can be added, elsewhere offsets in buffers do.
#if LANES == 16
#define START(P, N)   P += N
#define ADDRESS(P, N) (P + (N))
#define ADVANCE(P, N) P += N
#define PLACE(N)      __global uint *to = c + (N)
#define ROW(K)        (to + (K) * columns)
#else
#define START(P, N)   uint P##_at = N
#define ADDRESS(P, N) (P + (P##_at + (N)))
#define ADVANCE(P, N) P##_at += N
#define PLACE(N)      uint to = c_at + (N)
#define ROW(K)        (c + (to + (K) * columns))
#endif

// Debian 12's compiler has the functions, but does not declare them.
#ifndef cl_intel_subgroup_matrix_multiply_accumulate
float8 __attribute__((overloadable)) intel_sub_group_f16_f16_matrix_mad_k16(row_tile a, int8 b, float8 sum);
float8 __attribute__((overloadable)) intel_sub_group_bf16_bf16_matrix_mad_k16(row_tile a, int8 b, float8 sum);
int8 __attribute__((overloadable)) intel_sub_group_i8_i8_matrix_mad_k32(row_tile a, int8 b, int8 sum);
#endif
#ifdef cl_intel_subgroup_matrix_multiply_accumulate_tf32
typedef float4 pair_tile; // two rows of a tile: four bytes a lane
#define READ_pair(P)        as_float4(intel_sub_group_block_read4((const __global uint *)(P)))
#define MAD_TF32(A, B, SUM) intel_sub_group_tf32_tf32_matrix_mad_k8(A, as_float8(B), SUM)
#elif LANES == 16 // its name and types in Debian 12's compiler
typedef row_tile pair_tile;
#define READ_pair READ_row
#define MAD_TF32  intel_sub_group_tf32_tf32_matrix_mad_k8_f32
float8 __attribute__((overloadable)) intel_sub_group_tf32_tf32_matrix_mad_k8_f32(pair_tile a, int8 b, float8 sum);
#endif

#define MULTIPLY(NAME, LEFT, MAD, T, ROW_TILES, COLUMN_TILES)                                                          \
    __attribute__((intel_reqd_sub_group_size(LANES))) __kernel void NAME(                                              \
        const __global uint *a, const __global uint *b, __global uint *c, uint steps, uint columns)                    \
    {                                                                                                                  \
        uint x = get_group_id(0), y = get_group_id(1);                                                                 \
        /* panels of 32 rows and of four tiles of columns, of which a sub-group may do a part */                       \
        START(a, (y * ROW_TILES / 4 * steps * 4 + y * ROW_TILES % 4) * 64);                                            \
        START(b, (x * COLUMN_TILES / 4 * steps * 4 + x * COLUMN_TILES % 4) * 8 * LANES);                               \
        T sum[ROW_TILES][COLUMN_TILES];                                                                                \
        for (int i = 0; i < ROW_TILES; i++)                                                                            \
            for (int j = 0; j < COLUMN_TILES; j++)                                                                     \
                sum[i][j] = 0;                                                                                         \
        for (uint k = 0; k < steps; k++) {                                                                             \
            LEFT##_tile left[ROW_TILES];                                                                               \
            int8 right[COLUMN_TILES];                                                                                  \
            for (int i = 0; i < ROW_TILES; i++)                                                                        \
                left[i] = READ_##LEFT(ADDRESS(a, i * 64));                                                             \
            for (int j = 0; j < COLUMN_TILES; j++)                                                                     \
                right[j] = as_int8(intel_sub_group_block_read8(ADDRESS(b, j * 8 * LANES)));                            \
            ADVANCE(a, 4 * 64);                                                                                        \
            ADVANCE(b, 4 * 8 * LANES);                                                                                 \
            for (int j = 0; j < COLUMN_TILES; j++)                                                                     \
                for (int i = 0; i < ROW_TILES; i++)                                                                    \
                    sum[i][j] = MAD(left[i], right[j], sum[i][j]);                                                     \
        }                                                                                                              \
        START(c, y * ROW_TILES * 8 * columns + x * COLUMN_TILES * LANES);                                              \
        for (int i = 0; i < ROW_TILES; i++)                                                                            \
            for (int j = 0; j < COLUMN_TILES; j++) {                                                                   \
                uint8 tile = as_uint8(sum[i][j]);                                                                      \
                PLACE(i * 8 * columns + j * LANES);                                                                    \
                intel_sub_group_block_write(ROW(0), tile.s0);                                                          \
                intel_sub_group_block_write(ROW(1), tile.s1);                                                          \
                intel_sub_group_block_write(ROW(2), tile.s2);                                                          \
                intel_sub_group_block_write(ROW(3), tile.s3);                                                          \
                intel_sub_group_block_write(ROW(4), tile.s4);                                                          \
                intel_sub_group_block_write(ROW(5), tile.s5);                                                          \
                intel_sub_group_block_write(ROW(6), tile.s6);                                                          \
                intel_sub_group_block_write(ROW(7), tile.s7);                                                          \
            }                                                                                                          \
    }

#define KERNELS(TYPE, LEFT, MAD, T)                                                                                    \
    MULTIPLY(tile_8x1_##TYPE, LEFT, MAD, T, 1, 1)                                                                      \
    MULTIPLY(tile_16x2_##TYPE, LEFT, MAD, T, 2, 2)                                                                     \
    MULTIPLY(tile_32x2_##TYPE, LEFT, MAD, T, 4, 2)                                                                     \
    MULTIPLY(tile_32x4_##TYPE, LEFT, MAD, T, 4, 4)

KERNELS(half, row, intel_sub_group_f16_f16_matrix_mad_k16, float8)
KERNELS(bf16, row, intel_sub_group_bf16_bf16_matrix_mad_k16, float8)
KERNELS(int8, row, intel_sub_group_i8_i8_matrix_mad_k32, int8)
#if LANES == 16
KERNELS(tf32, pair, MAD_TF32, float8)
#endif

// A and B by 2D blocks: memory is a matrix with rows of 64 bytes. Such a row has two rows of A, side by side: a tile of
// A has every other row of 16, and so has a tile of C. Tiles of tf32 come one by one, in order.
#ifdef cl_intel_subgroup_2d_block_io
#define LEFT_row(TO)                                                                                                   \
    {                                                                                                                  \
        ushort x[32];                                                                                                  \
        intel_sub_group_2d_block_read_16b_16r16x2c((__global void *)a, 64, 0x1000000, 64, (int2)(0, at_a), x);         \
        for (int i = 0; i < 4; i++)                                                                                    \
            TO[i] = as_short8(vload8(i, x));                                                                           \
    }
#define LEFT_pair(TO)                                                                                                  \
    for (int i = 0; i < 4; i++)                                                                                        \
        TO[i] = READ_pair(a + at_a * 16 + i * 64);
#define EVERY_OTHER_row 1
#define EVERY_OTHER_pair 0

#define BLOCK_STEP(LEFT, MAD)                                                                                          \
    {                                                                                                                  \
        LEFT##_tile left[4];                                                                                           \
        uint right[32];                                                                                                \
        LEFT_##LEFT(left)                                                                                              \
        intel_sub_group_2d_block_read_32b_32r16x1c((__global void *)b, 64, 0x1000000, 64, (int2)(0, at_b), right);     \
        at_a += 16;                                                                                                    \
        at_b += 32;                                                                                                    \
        for (int j = 0; j < 4; j++)                                                                                    \
            for (int i = 0; i < 4; i++)                                                                                \
                sum[i][j] = MAD(left[i], as_int8(vload8(j, right)), sum[i][j]);                                        \
    }
#define ONCE(LEFT, MAD)                                                                                                \
    for (uint k = 0; k < steps; k++)                                                                                   \
        BLOCK_STEP(LEFT, MAD)
#define TWICE(LEFT, MAD)                                                                                               \
    for (uint k = 0; k < steps % 2; k++)                                                                               \
        BLOCK_STEP(LEFT, MAD)                                                                                          \
    for (uint k = 0; k < steps / 2; k++) {                                                                             \
        BLOCK_STEP(LEFT, MAD)                                                                                          \
        BLOCK_STEP(LEFT, MAD)                                                                                          \
    }

#define BLOCKS(NAME, STEPS, LEFT, MAD, T)                                                                              \
    __attribute__((intel_reqd_sub_group_size(LANES))) __kernel void NAME(                                              \
        const __global uint *a, const __global uint *b, __global uint *c, uint steps, uint columns)                    \
    {                                                                                                                  \
        uint x = get_group_id(0), y = get_group_id(1);                                                                 \
        int at_a = y * steps * 16, at_b = x * steps * 32;                                                              \
        T sum[4][4];                                                                                                   \
        for (int i = 0; i < 4; i++)                                                                                    \
            for (int j = 0; j < 4; j++)                                                                                \
                sum[i][j] = 0;                                                                                         \
        STEPS(LEFT, MAD)                                                                                               \
        for (int i = 0; i < 4; i++)                                                                                    \
            for (int j = 0; j < 4; j++)                                                                                \
                if (EVERY_OTHER_##LEFT) /* tiles 0 and 1: the even rows */                                             \
                    intel_sub_group_2d_block_write_32b_8r16x1c(c + i / 2 * columns, columns * 4, 0x10000, columns * 8, \
                                                               (int2)((x * 4 + j) * LANES, y * 16 + i % 2 * 8),        \
                                                               (uint *)&sum[i][j]);                                    \
                else                                                                                                   \
                    intel_sub_group_2d_block_write_32b_8r16x1c(c, columns * 4, 0x10000, columns * 4,                   \
                                                               (int2)((x * 4 + j) * LANES, y * 32 + i * 8),            \
                                                               (uint *)&sum[i][j]);                                    \
    }
#define BLOCK_KERNELS(TYPE, LEFT, MAD, T)                                                                              \
    BLOCKS(block_32x4_##TYPE, ONCE, LEFT, MAD, T)                                                                      \
    BLOCKS(block_twice_##TYPE, TWICE, LEFT, MAD, T)

BLOCK_KERNELS(half, row, intel_sub_group_f16_f16_matrix_mad_k16, float8)
BLOCK_KERNELS(bf16, row, intel_sub_group_bf16_bf16_matrix_mad_k16, float8)
BLOCK_KERNELS(int8, row, intel_sub_group_i8_i8_matrix_mad_k32, int8)
BLOCK_KERNELS(tf32, pair, MAD_TF32, float8)
#endif
