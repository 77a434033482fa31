// Attention of the newest token of each sequence with a paged cache of keys and values. A sub-group computes four
// heads, which share keys and values, for a partition of 128 tokens; a second kernel joins the partitions.
// LANES: of a sub-group, which is the width of the array.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#if LANES == 16
typedef short4 left_tile; // two bytes a lane
#else
typedef int4 left_tile; // four bytes a lane
#endif

// Debian 12's compiler has the function, but does not declare it.
#ifndef cl_intel_subgroup_matrix_multiply_accumulate
float4 __attribute__((overloadable)) intel_sub_group_f16_f16_matrix_mad_k16(left_tile a, int8 b, float4 sum);
#endif
#define MAD intel_sub_group_f16_f16_matrix_mad_k16

#define HEADS  4
#define CHUNKS 8                // of a head of 128, each 16 deep
#define TOKENS 16               // of a page
#define PAGES  8                // of a partition
#define SIDE   (TOKENS / LANES) // tiles of tokens of a page: the tokens, or the even and the odd ones
#define WIDE   (128 / LANES)    // tiles of values, across a head
#define TILE   (8 * LANES)      // dwords of a tile of keys or values
#define PAGE   1024             // dwords
#define MOST   16               // partitions of a sequence
#define LEAST  -1e30f
#define ONES   0x3c003c00

// The chunks of four queries.
void read_queries(left_tile *query, const __global uint *q)
{
#if LANES == 16
    short8 row[HEADS];
    for (int h = 0; h < HEADS; h++)
        row[h] = as_short8(intel_sub_group_block_read_us8((const __global ushort *)(q + h * 64)));
    for (int c = 0; c < CHUNKS; c++)
        query[c] = (short4)(row[0][c], row[1][c], row[2][c], row[3][c]);
#else
    int8 row[HEADS];
    for (int h = 0; h < HEADS; h++)
        row[h] = as_int8(intel_sub_group_block_read8(q + h * 64));
    for (int c = 0; c < CHUNKS; c++)
        query[c] = (int4)(row[0][c], row[1][c], row[2][c], row[3][c]);
#endif
}

// Weights of a page as a left operand: a row for each head.
left_tile pack(const float4 *weight)
{
#if LANES == 16
    return as_short4(convert_half4(weight[0]));
#else
    half8 both;
    both.even = convert_half4(weight[0]);
    both.odd = convert_half4(weight[1]);
    return as_int4(both);
#endif
}

float4 largest(float4 x)
{
    return (float4)(sub_group_reduce_max(x.x), sub_group_reduce_max(x.y), sub_group_reduce_max(x.z),
                    sub_group_reduce_max(x.w));
}

// Tiles of a page, from tile T on: four of them if 2D blocks read them.
#define READ_TILES(TO, FROM, PLACE, T)                                                                                 \
    TO[0] = as_int8(intel_sub_group_block_read8((FROM) + (PLACE) * PAGE + (T) * TILE));
#ifdef cl_intel_subgroup_2d_block_io
#define BLOCK_TILES 4
#define READ_BLOCK(TO, FROM, PLACE, T)                                                                                 \
    {                                                                                                                  \
        uint x[32];                                                                                                    \
        intel_sub_group_2d_block_read_32b_32r16x1c((__global void *)(FROM), 64, 0x1000000, 64,                         \
                                                   (int2)(0, (PLACE) * 64 + (T) * 8), x);                              \
        for (int i = 0; i < BLOCK_TILES; i++)                                                                          \
            TO[i] = as_int8(vload8(i, x));                                                                             \
    }
#endif

#define ARGUMENTS                                                                                                      \
    const __global uint *q, const __global uint *k, const __global uint *v, const __global uint *table,                \
        const __global uint *lengths, __global float *sums, __global float *stats, uint shared, float scale

#define START                                                                                                          \
    uint part = get_group_id(0), four = get_group_id(1), sequence = get_group_id(2);                                   \
    uint which = sequence * shared + four, place = which * MOST + part;                                                \
    uint length = lengths[sequence], first = part * (PAGES * TOKENS), lane = get_sub_group_local_id();                 \
    if (first >= length) {                                                                                             \
        if (lane < 8)                                                                                                  \
            stats[place * 8 + lane] = lane < HEADS ? LEAST : 0;                                                        \
        return;                                                                                                        \
    }                                                                                                                  \
    table += (sequence * MOST + part) * PAGES;                                                                         \
    left_tile query[CHUNKS];                                                                                           \
    read_queries(query, q + which * (HEADS * 64));

#define STORE(TOP, TOTAL)                                                                                              \
    {                                                                                                                  \
        if (lane == 0)                                                                                                 \
            vstore8((float8)(TOP, TOTAL), 0, stats + place * 8);                                                       \
        for (int w = 0; w < WIDE; w++)                                                                                 \
            intel_sub_group_block_write4((__global uint *)sums + place * 512 + w * HEADS * LANES, as_uint4(sum[w]));   \
    }

// The token of a lane of tile S.
#define TOKEN(S) (lane * SIDE + (S) % SIDE + (S) / SIDE * TOKENS)

// A partition at once. Pages that a sequence does not have are left out by twos.
#define PART(NAME, READ_SOME, SOME)                                                                                    \
    __attribute__((intel_reqd_sub_group_size(LANES))) __attribute__((reqd_work_group_size(LANES, 1, 1)))               \
    __kernel void NAME(ARGUMENTS)                                                                                      \
    {                                                                                                                  \
        START                                                                                                          \
        float4 score[PAGES * SIDE];                                                                                    \
        for (int s = 0; s < PAGES * SIDE; s++)                                                                         \
            score[s] = 0;                                                                                              \
        uint page[PAGES];                                                                                              \
        for (int p = 0; p < PAGES; p++)                                                                                \
            page[p] = table[p] * shared + four;                                                                        \
        for (int g = 0; g < PAGES; g += 2)                                                                             \
            if (g == 0 || first + g * TOKENS < length)                                                                 \
                for (int p = g; p < g + 2; p++)                                                                        \
                    for (int t = 0; t < SIDE * CHUNKS; t += SOME) {                                                    \
                        int8 keys[SOME];                                                                               \
                        READ_SOME(keys, k, page[p], t)                                                                 \
                        for (int i = 0; i < SOME; i++) {                                                               \
                            int s = p * SIDE + (t + i) / CHUNKS;                                                       \
                            score[s] = MAD(query[(t + i) % CHUNKS], keys[i], score[s]);                                \
                        }                                                                                              \
                    }                                                                                                  \
        if (first + PAGES * TOKENS > length)                                                                           \
            for (int s = 0; s < PAGES * SIDE; s++)                                                                     \
                score[s] = first + TOKEN(s) < length ? score[s] : (float4)(LEAST);                                     \
        float4 top = score[0];                                                                                         \
        for (int s = 1; s < PAGES * SIDE; s++)                                                                         \
            top = fmax(top, score[s]);                                                                                 \
        top = largest(top) * scale;                                                                                    \
        for (int s = 0; s < PAGES * SIDE; s++)                                                                         \
            score[s] = native_exp2(mad(score[s], (float4)(scale), -top));                                              \
        float4 total = 0, sum[WIDE];                                                                                   \
        for (int w = 0; w < WIDE; w++)                                                                                 \
            sum[w] = 0;                                                                                                \
        for (int g = 0; g < PAGES; g += 2)                                                                             \
            if (g == 0 || first + g * TOKENS < length)                                                                 \
                for (int p = g; p < g + 2; p++) {                                                                      \
                    left_tile weight = pack(score + p * SIDE);                                                         \
                    total = MAD(weight, (int8)(ONES), total);                                                          \
                    for (int t = 0; t < WIDE; t += SOME) {                                                             \
                        int8 values[SOME];                                                                             \
                        READ_SOME(values, v, page[p], t)                                                               \
                        for (int i = 0; i < SOME; i++)                                                                 \
                            sum[t + i] = MAD(weight, values[i], sum[t + i]);                                           \
                    }                                                                                                  \
                }                                                                                                      \
        STORE(top, total)                                                                                              \
    }

PART(part, READ_TILES, 1)
#ifdef cl_intel_subgroup_2d_block_io
PART(part_block, READ_BLOCK, BLOCK_TILES)
#endif

// A page a step, only those that the sequence has. Sums are scaled when the largest score changes.
__attribute__((intel_reqd_sub_group_size(LANES))) __attribute__((reqd_work_group_size(LANES, 1, 1)))
__kernel void part_online(ARGUMENTS)
{
    START
    float4 total = 0, most = LEAST, sum[WIDE];
    for (int w = 0; w < WIDE; w++)
        sum[w] = 0;
    uint count = min((length - first + TOKENS - 1) / TOKENS, (uint)PAGES);
    for (uint p = 0; p < count; p++) {
        uint page = table[p] * shared + four;
        float4 score[SIDE];
        for (int s = 0; s < SIDE; s++) {
            score[s] = 0;
            for (int c = 0; c < CHUNKS; c++) {
                int8 keys[1];
                READ_TILES(keys, k, page, s * CHUNKS + c)
                score[s] = MAD(query[c], keys[0], score[s]);
            }
            score[s] = first + p * TOKENS + TOKEN(s) < length ? score[s] : (float4)(LEAST);
        }
        float4 top = score[0];
        for (int s = 1; s < SIDE; s++)
            top = fmax(top, score[s]);
        top = fmax(largest(top) * scale, most);
        if (any(top > most)) {
            float4 keep = native_exp2(most - top);
            for (int w = 0; w < WIDE; w++)
                sum[w] *= keep;
            total *= keep;
            most = top;
        }
        for (int s = 0; s < SIDE; s++)
            score[s] = native_exp2(mad(score[s], (float4)(scale), -most));
        left_tile weight = pack(score);
        total = MAD(weight, (int8)(ONES), total);
        for (int w = 0; w < WIDE; w++) {
            int8 values[1];
            READ_TILES(values, v, page, w)
            sum[w] = MAD(weight, values[0], sum[w]);
        }
    }
    STORE(most, total)
}

// Joins the partitions of four heads.
__attribute__((intel_reqd_sub_group_size(LANES))) __attribute__((reqd_work_group_size(LANES, 1, 1)))
__kernel void join(const __global float *sums, const __global float *stats, const __global uint *lengths,
                   __global ushort *out, uint shared)
{
    uint which = get_group_id(1) * shared + get_group_id(0), lane = get_sub_group_local_id();
    uint count = (lengths[get_group_id(1)] + PAGES * TOKENS - 1) / (PAGES * TOKENS);
    // a partition in a lane
    float4 total = 0, top = LEAST, mine[MOST / LANES];
    for (int i = 0; i < MOST / LANES; i++) {
        mine[i] = vload4((which * MOST + i * LANES + lane) * 2, stats);
        top = fmax(top, mine[i]);
    }
    top = largest(top);
    for (int i = 0; i < MOST / LANES; i++) {
        mine[i] = native_exp2(mine[i] - top);
        total += mine[i] * vload4((which * MOST + i * LANES + lane) * 2 + 1, stats);
    }
    total = (float4)(sub_group_reduce_add(total.x), sub_group_reduce_add(total.y), sub_group_reduce_add(total.z),
                     sub_group_reduce_add(total.w));
    float4 sum[WIDE];
    for (int w = 0; w < WIDE; w++)
        sum[w] = 0;
    for (uint n = 0; n < count; n++) {
        float4 from = mine[0];
#if MOST > LANES
        from = n < LANES ? mine[0] : mine[1];
#endif
        float4 factor = (float4)(sub_group_broadcast(from.x, n % LANES), sub_group_broadcast(from.y, n % LANES),
                                 sub_group_broadcast(from.z, n % LANES), sub_group_broadcast(from.w, n % LANES));
        for (int w = 0; w < WIDE; w++) {
            const __global uint *at = (const __global uint *)sums + (which * MOST + n) * 512 + w * HEADS * LANES;
            sum[w] = mad(as_float4(intel_sub_group_block_read4(at)), factor, sum[w]);
        }
    }
    total = native_recip(total);
    for (int w = 0; w < WIDE; w++) {
        ushort4 row = as_ushort4(convert_half4(sum[w] * total));
        for (int h = 0; h < HEADS; h++)
            intel_sub_group_block_write_us(out + (which * HEADS + h) * 128 + w * LANES, row[h]);
    }
}
