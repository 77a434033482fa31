// Attention of one sequence with a cache of keys and values, causal. A sub-group computes as many queries as the
// systolic array has columns: a query in a work item, so that the softmax needs no exchange between work items.
// LANES: of a sub-group, which is the width of the array.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#if LANES == 16
typedef short8 tile; // two bytes a lane
typedef short tile_row;
#define READ(P) as_short8(intel_sub_group_block_read_us8((const __global ushort *)(P)))
#define ONES    ((short)0x3c00)
#else
typedef int8 tile; // four bytes a lane
typedef int tile_row;
#define READ(P) as_int8(intel_sub_group_block_read8(P))
#define ONES    0x3c003c00
#endif

// Debian 12's compiler has the functions, but does not declare them.
#ifndef cl_intel_subgroup_matrix_multiply_accumulate
float8 __attribute__((overloadable)) intel_sub_group_f16_f16_matrix_mad_k16(tile a, int8 b, float8 sum);
float __attribute__((overloadable)) intel_sub_group_f16_f16_matrix_mad_k16(tile_row a, int8 b, float sum);
#endif
#define MAD intel_sub_group_f16_f16_matrix_mad_k16

#define CHUNKS 8    // of a head of 128
#define TOKENS 16   // of a page
#define LEAST  -1e30f

// Tiles of GROUP chunks of a page, from chunk CHUNK on, two of each. Read one after the other, they have the rows in
// the order of memory: if the array has 8 columns, the even ones and the odd ones, else the first eight and the others.
// With 2D blocks, in which two rows lie side by side, they have the even ones and the odd ones.
#define READ_TILES(TO, FROM, CHUNK, GROUP)                                                                             \
    for (int t = 0; t < 2 * GROUP; t++)                                                                                \
        TO[t] = READ((FROM) + ((CHUNK) * 2 + t) * 64);
#define TILES_ORDER (LANES == 8)

#if LANES == 16
#ifdef cl_intel_subgroup_2d_block_io
#define BLOCK_GROUP 4
#define READ_BLOCK(TO, FROM, CHUNK, GROUP)                                                                             \
    {                                                                                                                  \
        ushort x[32 * GROUP];                                                                                          \
        intel_sub_group_2d_block_read_16b_32r16x2c((__global void *)(FROM), 64, 0x1000000, 64, (int2)(0, (CHUNK) * 8), \
                                                   x);                                                                 \
        for (int t = 0; t < 2 * GROUP; t++)                                                                            \
            for (int r = 0; r < 8; r++)                                                                                \
                TO[t][r] = (short)x[t % 2 * 8 * GROUP + t / 2 * 8 + r];                                                \
    }
#else // Debian 12's compiler has a function that it does not declare: a base, sizes less 1, a place
#define BLOCK_GROUP 1
short16 __builtin_IB_subgroup_block_read_flat_u16_m8k16v2(long, int, int, int, int2);
#define READ_BLOCK(TO, FROM, CHUNK, GROUP)                                                                             \
    {                                                                                                                  \
        short16 x = __builtin_IB_subgroup_block_read_flat_u16_m8k16v2((long)(FROM), 63, 0xffffff, 63,                  \
                                                                      (int2)(0, (CHUNK) * 8));                         \
        TO[0] = x.lo;                                                                                                  \
        TO[1] = x.hi;                                                                                                  \
    }
#endif
#endif

float largest_of(float8 x)
{
    float4 a = fmax(x.lo, x.hi);
    float2 b = fmax(a.lo, a.hi);
    return fmax(b.x, b.y);
}

// Without the keys that the query does not see: those from the token `room` on. The rows are eight tokens from `first`
// on, `step` apart.
float8 hide(float8 score, int room, int first, int step)
{
    int8 place = (int8)(0, 1, 2, 3, 4, 5, 6, 7) * step + first;
    return select(score, (float8)(LEAST), place > (int8)(room));
}

// Neighbours share a dword: tokens of weights, numbers of results.
int8 pack(float8 even, float8 odd)
{
    half16 both;
    both.even = convert_half8(even);
    both.odd = convert_half8(odd);
    return as_int8(both);
}
int8 pack_tiles(float8 a, float8 b, int by_parity)
{
    return by_parity ? pack(a, b) : pack((float8)(a.even, b.even), (float8)(a.odd, b.odd));
}

// PAGES: of a step; SCALE_IF: when the largest score changes, so that the sums must be scaled.
#define ATTENTION(NAME, PAGES, SCALE_IF, LOAD, GROUP, BY_PARITY)                                                       \
    __attribute__((intel_reqd_sub_group_size(LANES))) __attribute__((reqd_work_group_size(LANES, 1, 1)))               \
    __kernel void NAME(const __global uint *q, const __global uint *k, const __global uint *v, __global uint *o,       \
                       uint queries, uint pages, uint start, float scale)                                              \
    {                                                                                                                  \
        uint first = get_group_id(0) * LANES, head = get_group_id(1), lane = get_sub_group_local_id();                 \
        uint row = (head * queries + first + lane) * 64;                                                               \
        int8 query[CHUNKS];                                                                                            \
        for (int c = 0; c < CHUNKS; c++)                                                                               \
            query[c] = as_int8(vload8(c, q + row));                                                                    \
        float8 sum[2 * CHUNKS];                                                                                        \
        for (int i = 0; i < 2 * CHUNKS; i++)                                                                           \
            sum[i] = 0;                                                                                                \
        float total = 0, most = LEAST;                                                                                 \
        uint seen = start + first, from = head * pages * CHUNKS, count = (seen + LANES - 1) / TOKENS + 1;              \
        for (uint p = 0; p < count; p += PAGES) {                                                                      \
            float8 score[2 * PAGES];                                                                                   \
            for (int i = 0; i < 2 * PAGES; i++)                                                                        \
                score[i] = 0;                                                                                          \
            for (int n = 0; n < PAGES; n++)                                                                            \
                for (int c = 0; c < CHUNKS; c += GROUP) {                                                              \
                    tile keys[2 * GROUP];                                                                              \
                    LOAD(keys, k, from + n * CHUNKS + c, GROUP)                                                        \
                    for (int t = 0; t < 2 * GROUP; t++)                                                                \
                        score[2 * n + t % 2] = MAD(keys[t], query[c + t / 2], score[2 * n + t % 2]);                   \
                }                                                                                                      \
            if (p * TOKENS + PAGES * TOKENS - 1 > seen) {                                                              \
                int room = (int)(seen + lane - p * TOKENS);                                                            \
                for (int i = 0; i < 2 * PAGES; i++)                                                                    \
                    score[i] = BY_PARITY ? hide(score[i], room, i / 2 * 16 + i % 2, 2)                                 \
                                         : hide(score[i], room, i * 8, 1);                                             \
            }                                                                                                          \
            float8 top8 = fmax(score[0], score[1]);                                                                    \
            for (int i = 2; i < 2 * PAGES; i++)                                                                        \
                top8 = fmax(top8, score[i]);                                                                           \
            float top = largest_of(top8);                                                                              \
            if (SCALE_IF) {                                                                                            \
                float now = fmax(top, most), keep = native_exp2((most - now) * scale);                                 \
                for (int i = 0; i < 2 * CHUNKS; i++)                                                                   \
                    sum[i] *= keep;                                                                                    \
                total *= keep;                                                                                         \
                most = now;                                                                                            \
            }                                                                                                          \
            float base = most * scale;                                                                                 \
            for (int i = 0; i < 2 * PAGES; i++)                                                                        \
                score[i] = native_exp2(mad(score[i], (float8)(scale), (float8)(-base)));                               \
            for (int n = 0; n < PAGES; n++) {                                                                          \
                int8 weight = pack_tiles(score[2 * n], score[2 * n + 1], BY_PARITY);                                   \
                total = MAD(ONES, weight, total);                                                                      \
                for (int c = 0; c < CHUNKS; c += GROUP) {                                                              \
                    tile values[2 * GROUP];                                                                            \
                    LOAD(values, v, from + n * CHUNKS + c, GROUP)                                                      \
                    for (int t = 0; t < 2 * GROUP; t++)                                                                \
                        sum[2 * c + t] = MAD(values[t], weight, sum[2 * c + t]);                                       \
                }                                                                                                      \
            }                                                                                                          \
            from += PAGES * CHUNKS;                                                                                    \
        }                                                                                                              \
        total = native_recip(total);                                                                                   \
        for (int c = 0; c < CHUNKS; c++)                                                                               \
            vstore8(as_uint8(pack_tiles(sum[2 * c] * total, sum[2 * c + 1] * total, BY_PARITY)), 0, o + row + c * 8);  \
    }

ATTENTION(page, 1, sub_group_any(top > most), READ_TILES, 1, TILES_ORDER)
ATTENTION(two_pages, 2, sub_group_any(top > most), READ_TILES, 1, TILES_ORDER)
ATTENTION(always, 1, 1, READ_TILES, 1, TILES_ORDER)
#if LANES == 16
ATTENTION(block, 1, sub_group_any(top > most), READ_BLOCK, BLOCK_GROUP, 1)
#endif
