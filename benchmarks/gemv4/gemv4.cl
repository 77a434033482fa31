// y = W x: int4 weights with a scale for each 128, halves x and y.
//   tiles_N: the systolic array; a sub-group does N tiles of outputs, the four sub-groups of a group share the depth
//   mads:    a lane does an output, with multiply-adds of floats
// LANES: columns of a tile.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define THREADS 4
#define PANEL   4   // tiles that are together in memory
#define DEPTH   128 // of a scale
#define PACKED  (DEPTH / 8 * LANES)

#if LANES == 16
typedef short x_part; // a row of 16 halves
typedef short8 x_parts;
#define READ_X(P) as_short8(intel_sub_group_block_read_us8((const global ushort *)(P)))
#else
typedef int x_part;
typedef int8 x_parts;
#define READ_X(P) as_int8(intel_sub_group_block_read8((const global uint *)(P)))
#endif

// Debian 12's compiler has the function, but does not declare it.
#ifndef cl_intel_subgroup_matrix_multiply_accumulate
float __attribute__((overloadable)) intel_sub_group_f16_f16_matrix_mad_k16(x_part a, int8 b, float sum);
#endif

#define MASKED(V, MASK, EXPONENT) as_int(((V) & (MASK)) | (EXPONENT))

// Nibbles as halves beside the exponents of 1024 and 64: dword row 2 j + r has nibbles j and j + 4 of the row r.
inline int8 widen(uint a, uint b)
{
    return (int8)(MASKED(a, 0x000f000f, 0x64006400), MASKED(b, 0x000f000f, 0x64006400),
                  MASKED(a, 0x00f000f0, 0x54005400), MASKED(b, 0x00f000f0, 0x54005400),
                  MASKED(a >> 8, 0x000f000f, 0x64006400), MASKED(b >> 8, 0x000f000f, 0x64006400),
                  MASKED(a >> 8, 0x00f000f0, 0x54005400), MASKED(b >> 8, 0x00f000f0, 0x54005400));
}

#define MAD intel_sub_group_f16_f16_matrix_mad_k16

#define MULTIPLY(NAME, TILES)                                                                                          \
    __attribute__((intel_reqd_sub_group_size(LANES))) __kernel void NAME(                                              \
        const global uint *weights, const global ushort *scales, const global ushort *x, global ushort *y,             \
        uint groups)                                                                                                   \
    {                                                                                                                  \
        local float parts[THREADS * TILES * LANES];                                                                    \
        uint tile = get_group_id(0) * TILES, first = get_sub_group_id(), lane = get_sub_group_local_id();              \
        uint panel = tile / PANEL * groups * PANEL, in_panel = tile % PANEL;                                           \
        /* minus the constants beside the nibbles, and the zero point, 8 */                                            \
        int8 zero =                                                                                                    \
            (int8)(0xe408e408, 0xe408e408, 0xd480d480, 0xd480d480, 0xe408e408, 0xe408e408, 0xd480d480, 0xd480d480);    \
        float sum[TILES];                                                                                              \
        for (int t = 0; t < TILES; t++)                                                                                \
            sum[t] = 0;                                                                                                \
        for (uint k = first; k < groups; k += THREADS) {                                                               \
            x_parts part = READ_X(x + k * DEPTH);                                                                      \
            float start = 0;                                                                                           \
            start = MAD(part.s0, zero, start);                                                                         \
            start = MAD(part.s1, zero, start);                                                                         \
            start = MAD(part.s2, zero, start);                                                                         \
            start = MAD(part.s3, zero, start);                                                                         \
            start = MAD(part.s4, zero, start);                                                                         \
            start = MAD(part.s5, zero, start);                                                                         \
            start = MAD(part.s6, zero, start);                                                                         \
            start = MAD(part.s7, zero, start);                                                                         \
            for (int t = 0; t < TILES; t++) {                                                                          \
                uint at = panel + k * PANEL + in_panel + t;                                                            \
                uint8 low = intel_sub_group_block_read8(weights + at * PACKED);                                        \
                uint8 high = intel_sub_group_block_read8(weights + at * PACKED + 8 * LANES);                           \
                float product = start;                                                                                 \
                product = MAD(part.s0, widen(low.s0, low.s1), product);                                                \
                product = MAD(part.s1, widen(low.s2, low.s3), product);                                                \
                product = MAD(part.s2, widen(low.s4, low.s5), product);                                                \
                product = MAD(part.s3, widen(low.s6, low.s7), product);                                                \
                product = MAD(part.s4, widen(high.s0, high.s1), product);                                              \
                product = MAD(part.s5, widen(high.s2, high.s3), product);                                              \
                product = MAD(part.s6, widen(high.s4, high.s5), product);                                              \
                product = MAD(part.s7, widen(high.s6, high.s7), product);                                              \
                sum[t] += product * convert_float(as_half(intel_sub_group_block_read_us(scales + at * LANES)));        \
            }                                                                                                          \
        }                                                                                                              \
        for (int t = 0; t < TILES; t++)                                                                                \
            parts[(first * TILES + t) * LANES + lane] = sum[t];                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (first == 0)                                                                                                \
            for (int t = 0; t < TILES; t++) {                                                                          \
                for (int i = 1; i < THREADS; i++)                                                                      \
                    sum[t] += parts[(i * TILES + t) * LANES + lane];                                                   \
                intel_sub_group_block_write_us(y + (tile + t) * LANES, as_ushort(convert_half(sum[t])));               \
            }                                                                                                          \
    }

MULTIPLY(tiles_1, 1)
MULTIPLY(tiles_4, 4)

__attribute__((intel_reqd_sub_group_size(LANES))) __kernel void
mads(const global uint *weights, const global ushort *scales, const global ushort *x, global ushort *y, uint groups)
{
    local float parts[THREADS * LANES];
    uint tile = get_group_id(0), first = get_sub_group_id(), lane = get_sub_group_local_id();
    float sum = 0;
    for (uint k = first; k < groups; k += THREADS) {
        uint at = tile / PANEL * groups * PANEL + k * PANEL + tile % PANEL;
        float product = 0;
        for (uint q = 0; q < DEPTH / 16; q++) {
            uint2 nibbles = intel_sub_group_block_read2(weights + at * PACKED + q * 2 * LANES);
            const global half2 *part = (const global half2 *)(x + k * DEPTH + q * 16);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float2 a = convert_float2(part[2 * j]), b = convert_float2(part[2 * j + 1]);
                product += a.x * (float)((int)(nibbles.x >> 4 * j & 15) - 8);
                product += a.y * (float)((int)(nibbles.x >> (4 * j + 16) & 15) - 8);
                product += b.x * (float)((int)(nibbles.y >> 4 * j & 15) - 8);
                product += b.y * (float)((int)(nibbles.y >> (4 * j + 16) & 15) - 8);
            }
        }
        sum += product * convert_float(as_half(intel_sub_group_block_read_us(scales + at * LANES)));
    }
    parts[first * LANES + lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first == 0) {
        for (int i = 1; i < THREADS; i++)
            sum += parts[i * LANES + lane];
        intel_sub_group_block_write_us(y + tile * LANES, as_ushort(convert_half(sum)));
    }
}
