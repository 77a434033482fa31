// The k largest of each row of floats, largest first, equal ones by their places.
//   prune:  the CM kernel's plan: a bound from the largest floats of subsets, then the few candidates that are not less
//   radix:  a histogram of eight bits at a time finds the k-th largest exactly; then the same candidates
//   rounds: a sub-group takes k times the next one
// LANES: floats in a register. A sub-group has twice as many lanes, which is the most that has block reads.

#define SIMD       (2 * LANES)
#define SUB_GROUPS 8
#define ITEMS      (SIMD * SUB_GROUPS)
#define BLOCK      (8 * SIMD)          // floats
#define HELD       (32768 / 8 / ITEMS) // blocks of a sub-group, at most
#define ROOM       256
#define NOWHERE    0x7fffffff
#define LEAST      ((int)0x807fffff) // minus infinity in the order of the integers

inline int ordered(int bits)
{
    return bits ^ ((bits >> 31) & 0x7fffffff);
}

inline float largest(uint8 bits)
{
    float8 v = as_float8(bits);
    float4 a = fmax(v.lo, v.hi);
    float2 b = fmax(a.lo, a.hi);
    return fmax(b.x, b.y);
}

inline void append(float v, int place, float bound, local int *count, local float *found, local int *found_places)
{
    if (v >= bound) {
        int slot = atomic_inc(count);
        if (slot < ROOM) {
            found[slot] = v;
            found_places[slot] = place;
        }
    }
}

// The k-th largest of COUNT floats of each lane, rounded down to what is a multiple of 2^(LAST + 1) in its bits.
#define BOUND_OF(NAME, COUNT, LAST)                                                                                    \
    inline float NAME(const local float *v, uint k)                                                                    \
    {                                                                                                                  \
        int keys[COUNT];                                                                                               \
        uint bound = 0x80000000;                                                                                       \
        __attribute__((opencl_unroll_hint(COUNT))) for (int i = 0; i < COUNT; i++) keys[i] =                           \
            ordered(as_int(v[i * SIMD + get_sub_group_local_id()]));                                                   \
        for (uint bit = 0x80000000; bit >> LAST; bit >>= 1) {                                                          \
            uint trial = bound + bit, above = 0;                                                                       \
            __attribute__((opencl_unroll_hint(COUNT))) for (int i = 0; i < COUNT; i++) above += keys[i] >= (int)trial; \
            if (sub_group_reduce_add(above) >= k)                                                                      \
                bound = trial;                                                                                         \
        }                                                                                                              \
        return as_float(ordered(max((int)bound, LEAST)));                                                              \
    }

BOUND_OF(bound_of_maxima, SUB_GROUPS, 16)
BOUND_OF(bound_of_found, ROOM / SIMD, 0)

// Each item places some of the candidates.
inline void place_all(local float *found, local int *found_places, global float *values, global int *places, int count,
                      int k)
{
    for (int i = get_local_id(0); i < count; i += ITEMS) {
        float v = found[i];
        int place = found_places[i], rank = 0;
        for (int j = 0; j < count; j++)
            rank += (int)(v < found[j] || (v == found[j] && place > found_places[j]));
        if (rank < k) {
            values[rank] = v;
            places[rank] = place;
        }
    }
}

inline void take_each(const global float *x, global float *values, global int *places, uint columns, uint k)
{
    float last = INFINITY;
    int last_place = -1;
    for (uint taken = 0; taken < k; taken++) {
        float best = -INFINITY;
        int best_place = NOWHERE;
        for (uint first = 0; first < columns; first += SIMD) {
            float v = as_float(intel_sub_group_block_read((const global uint *)(x + first)));
            int place = first + get_sub_group_local_id();
            int better = (int)(v < last || (v == last && place > last_place)) &
                         (int)(v > best || (v == best && place < best_place));
            best = better ? v : best;
            best_place = better ? place : best_place;
        }
        last = sub_group_reduce_max(best);
        last_place = sub_group_reduce_min(best < last ? NOWHERE : best_place);
        if (get_sub_group_local_id() == 0) {
            values[taken] = last;
            places[taken] = last_place;
        }
    }
}

__attribute__((intel_reqd_sub_group_size(SIMD))) __kernel void prune(const global float *x, global float *values,
                                                                     global int *places, uint columns, uint k)
{
    local float maxima[ITEMS], found[ROOM];
    local int found_places[ROOM], count, bound_bits;
    uint group = get_sub_group_id(), lane = get_sub_group_local_id();
    x += get_group_id(0) * columns;
    values += get_group_id(0) * k;
    places += get_group_id(0) * k;
    float most[HELD], mine = -INFINITY;
#pragma unroll
    for (int i = 0; i < HELD; i++) {
        uint at = (i * SUB_GROUPS + group) * BLOCK;
        most[i] = -INFINITY;
        if (at < columns) {
            most[i] = largest(intel_sub_group_block_read8((const global uint *)(x + at)));
            mine = fmax(mine, most[i]);
        }
    }
    maxima[get_local_id(0)] = mine;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group == 0)
        bound_bits = as_int(bound_of_maxima(maxima, k));
    barrier(CLK_LOCAL_MEM_FENCE);
    float bound = as_float(bound_bits);
#pragma unroll
    for (int i = 0; i < HELD; i++)
        if (most[i] >= bound && (i * SUB_GROUPS + group) * BLOCK < columns) {
            int at = (i * SUB_GROUPS + group) * BLOCK + lane;
            for (int e = 0; e < 8; e++)
                append(x[at + e * SIMD], at + e * SIMD, bound, &count, found, found_places);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    int all = count;
    while (all > 2 * (int)k + 64) {
        for (int i = all + get_local_id(0); i < ROOM; i += ITEMS)
            found[i] = -INFINITY;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (group == 0) {
            bound_bits = as_int(bound_of_found(found, k));
            count = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (as_float(bound_bits) == bound)
            break;
        bound = as_float(bound_bits);
        for (uint i = get_local_id(0); i < columns; i += ITEMS)
            append(x[i], i, bound, &count, found, found_places);
        barrier(CLK_LOCAL_MEM_FENCE);
        all = count;
    }
    if (all <= ROOM)
        place_all(found, found_places, values, places, all, k);
    else if (group == 0)
        take_each(x, values, places, columns, k);
}

// Those that are equal to the k-th are all candidates, of which the first ones count.
__attribute__((intel_reqd_sub_group_size(SIMD))) __kernel void radix(const global float *x, global float *values,
                                                                     global int *places, uint columns, uint k)
{
    local uint counts[256], found_digit, found_left;
    local float found[ROOM];
    local int found_places[ROOM], count;
    uint item = get_local_id(0);
    x += get_group_id(0) * columns;
    values += get_group_id(0) * k;
    places += get_group_id(0) * k;
    uint prefix = 0, left = k;
    for (int shift = 24; shift >= 0; shift -= 8) {
        for (uint i = item; i < 256; i += ITEMS)
            counts[i] = 0;
        if (item == 0)
            count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < columns; i += ITEMS) {
            uint key = (uint)ordered(as_int(x[i])) ^ 0x80000000;
            if (shift == 24 || key >> (shift + 8) == prefix)
                atomic_inc(&counts[key >> shift & 255]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0) {
            uint digit = 255;
            while (counts[digit] < left)
                left -= counts[digit--];
            found_digit = digit;
            found_left = left;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        prefix = prefix << 8 | found_digit;
        left = found_left;
    }
    for (uint i = item; i < columns; i += ITEMS) {
        float v = x[i];
        if (((uint)ordered(as_int(v)) ^ 0x80000000) >= prefix) {
            int slot = atomic_inc(&count);
            if (slot < ROOM) {
                found[slot] = v;
                found_places[slot] = i;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count <= ROOM)
        place_all(found, found_places, values, places, count, k);
    else if (get_sub_group_id() == 0)
        take_each(x, values, places, columns, k);
}

__attribute__((intel_reqd_sub_group_size(SIMD))) __kernel void rounds(const global float *x, global float *values,
                                                                      global int *places, uint columns, uint k)
{
    take_each(x + get_group_id(0) * columns, values + get_group_id(0) * k, places + get_group_id(0) * k, columns, k);
}
