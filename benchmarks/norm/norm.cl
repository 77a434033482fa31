// RMS norm and layer norm of rows of halves, with sums in float. A group does a row.
//   pairs:  each sub-group has a part of the row in registers, as floats; a lane has pairs of neighbours
//   halves: the same with a half a lane in the messages, which are half as long
//   again:  a sub-group reads the whole row again for each step, and needs few registers
// LANES: floats in a register. A sub-group has twice as many lanes, which is the most that has block reads.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define EACH 64 // halves of a lane

// Adds a number of each sub-group of the group.
inline float total(float mine, local float *parts)
{
    float sum = sub_group_reduce_add(mine);
    if (get_sub_group_local_id() == 0)
        parts[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < get_num_sub_groups(); k++)
        sum += parts[k];
    return sum;
}

// Eight dwords or words of a lane. AT: the place of one, in halves, from the start of the row's part.
#define READ_PAIRS(P, AT)      intel_sub_group_block_read8((const global uint *)(P) + (AT) / 2)
#define READ_HALVES(P, AT)     intel_sub_group_block_read_us8((const global ushort *)(P) + (AT))
#define WRITE_PAIRS(P, AT, V)  intel_sub_group_block_write8((global uint *)(P) + (AT) / 2, V)
#define WRITE_HALVES(P, AT, V) intel_sub_group_block_write_us8((global ushort *)(P) + (AT), V)
#define OPENED_PAIRS(V)        as_half16(V)
#define OPENED_HALVES(V)       as_half8(V)
#define CLOSED_PAIRS(V)        as_uint8(V)
#define CLOSED_HALVES(V)       as_ushort8(V)
#define FLOATS_PAIRS           float16
#define FLOATS_HALVES          float8
#define HALVES_PAIRS           half16
#define HALVES_HALVES          half8
#define WIDEN_PAIRS(V)         convert_float16(V)
#define WIDEN_HALVES(V)        convert_float8(V)
#define NARROW_PAIRS(V)        convert_half16(V)
#define NARROW_HALVES(V)       convert_half8(V)
#define COUNT_PAIRS            16
#define COUNT_HALVES           8

inline __attribute__((overloadable)) float sum_of(float8 v)
{
    float4 a = v.lo + v.hi;
    float2 b = a.lo + a.hi;
    return b.x + b.y;
}

inline __attribute__((overloadable)) float sum_of(float16 v)
{
    return sum_of(v.lo + v.hi);
}

#define HELD(NAME, KIND, SIMD)                                                                                         \
    __attribute__((intel_reqd_sub_group_size(SIMD)))                                                                   \
    __kernel void rms_##NAME(const global half *x, const global half *gamma, const global half *beta, global half *y,  \
                             uint columns, float epsilon)                                                              \
    {                                                                                                                  \
        local float parts[64];                                                                                         \
        uint column = get_sub_group_id() * (SIMD * EACH);                                                              \
        uint at = get_group_id(0) * columns + column;                                                                  \
        FLOATS_##KIND row[EACH / COUNT_##KIND], sum = 0;                                                               \
        for (int k = 0; k < EACH / COUNT_##KIND; k++)                                                                  \
            row[k] = WIDEN_##KIND(OPENED_##KIND(READ_##KIND(x, at + k * COUNT_##KIND * SIMD)));                        \
        for (int k = 0; k < EACH / COUNT_##KIND; k++)                                                                  \
            sum += row[k] * row[k];                                                                                    \
        float scale = native_rsqrt(total(sum_of(sum), parts) / (float)columns + epsilon);                              \
        for (int k = 0; k < EACH / COUNT_##KIND; k++) {                                                                \
            HALVES_##KIND factor = OPENED_##KIND(READ_##KIND(gamma, column + k * COUNT_##KIND * SIMD));                \
            WRITE_##KIND(y, at + k * COUNT_##KIND * SIMD, CLOSED_##KIND(NARROW_##KIND(row[k] * scale) * factor));      \
        }                                                                                                              \
    }                                                                                                                  \
    __attribute__((intel_reqd_sub_group_size(SIMD)))                                                                   \
    __kernel void layer_##NAME(const global half *x, const global half *gamma, const global half *beta,                \
                               global half *y, uint columns, float epsilon)                                            \
    {                                                                                                                  \
        local float parts[64], squares[64];                                                                            \
        uint column = get_sub_group_id() * (SIMD * EACH);                                                              \
        uint at = get_group_id(0) * columns + column;                                                                  \
        float part = 1.0f / (float)columns;                                                                            \
        FLOATS_##KIND row[EACH / COUNT_##KIND], sum = 0;                                                               \
        for (int k = 0; k < EACH / COUNT_##KIND; k++) {                                                                \
            row[k] = WIDEN_##KIND(OPENED_##KIND(READ_##KIND(x, at + k * COUNT_##KIND * SIMD)));                        \
            sum += row[k];                                                                                             \
        }                                                                                                              \
        float mean = total(sum_of(sum), parts) * part;                                                                 \
        sum = 0;                                                                                                       \
        for (int k = 0; k < EACH / COUNT_##KIND; k++) {                                                                \
            row[k] -= mean;                                                                                            \
            sum += row[k] * row[k];                                                                                    \
        }                                                                                                              \
        float scale = native_rsqrt(total(sum_of(sum), squares) * part + epsilon);                                      \
        for (int k = 0; k < EACH / COUNT_##KIND; k++) {                                                                \
            HALVES_##KIND factor = OPENED_##KIND(READ_##KIND(gamma, column + k * COUNT_##KIND * SIMD)),                \
                          more = OPENED_##KIND(READ_##KIND(beta, column + k * COUNT_##KIND * SIMD));                   \
            WRITE_##KIND(y, at + k * COUNT_##KIND * SIMD,                                                              \
                         CLOSED_##KIND(NARROW_##KIND(row[k] * scale) * factor + more));                                \
        }                                                                                                              \
    }

// A sub-group does the row.
#define AGAIN(NAME, SIMD)                                                                                              \
    __attribute__((intel_reqd_sub_group_size(SIMD)))                                                                   \
    __kernel void rms_##NAME(const global half *x, const global half *gamma, const global half *beta, global half *y,  \
                             uint columns, float epsilon)                                                              \
    {                                                                                                                  \
        x += get_group_id(0) * columns;                                                                                \
        y += get_group_id(0) * columns;                                                                                \
        float16 sum = 0;                                                                                               \
        for (uint k = 0; k < columns; k += 16 * SIMD) {                                                                \
            float16 row = WIDEN_PAIRS(OPENED_PAIRS(READ_PAIRS(x, k)));                                                 \
            sum += row * row;                                                                                          \
        }                                                                                                              \
        float scale = native_rsqrt(sub_group_reduce_add(sum_of(sum)) / (float)columns + epsilon);                      \
        for (uint k = 0; k < columns; k += 16 * SIMD) {                                                                \
            float16 row = WIDEN_PAIRS(OPENED_PAIRS(READ_PAIRS(x, k)));                                                 \
            half16 factor = OPENED_PAIRS(READ_PAIRS(gamma, k));                                                        \
            WRITE_PAIRS(y, k, CLOSED_PAIRS(NARROW_PAIRS(row *scale) * factor));                                        \
        }                                                                                                              \
    }                                                                                                                  \
    __attribute__((intel_reqd_sub_group_size(SIMD)))                                                                   \
    __kernel void layer_##NAME(const global half *x, const global half *gamma, const global half *beta,                \
                               global half *y, uint columns, float epsilon)                                            \
    {                                                                                                                  \
        x += get_group_id(0) * columns;                                                                                \
        y += get_group_id(0) * columns;                                                                                \
        float part = 1.0f / (float)columns;                                                                            \
        float16 sum = 0;                                                                                               \
        for (uint k = 0; k < columns; k += 16 * SIMD)                                                                  \
            sum += WIDEN_PAIRS(OPENED_PAIRS(READ_PAIRS(x, k)));                                                        \
        float mean = sub_group_reduce_add(sum_of(sum)) * part;                                                         \
        sum = 0;                                                                                                       \
        for (uint k = 0; k < columns; k += 16 * SIMD) {                                                                \
            float16 row = WIDEN_PAIRS(OPENED_PAIRS(READ_PAIRS(x, k))) - mean;                                          \
            sum += row * row;                                                                                          \
        }                                                                                                              \
        float scale = native_rsqrt(sub_group_reduce_add(sum_of(sum)) * part + epsilon);                                \
        for (uint k = 0; k < columns; k += 16 * SIMD) {                                                                \
            float16 row = WIDEN_PAIRS(OPENED_PAIRS(READ_PAIRS(x, k))) - mean;                                          \
            half16 factor = OPENED_PAIRS(READ_PAIRS(gamma, k)), more = OPENED_PAIRS(READ_PAIRS(beta, k));              \
            WRITE_PAIRS(y, k, CLOSED_PAIRS(NARROW_PAIRS(row *scale) * factor + more));                                 \
        }                                                                                                              \
    }

HELD(pairs, PAIRS, (2 * LANES))
HELD(halves, HALVES, (2 * LANES))
AGAIN(again, (2 * LANES))
