/* Bitonic sort of 2^n ints. In each stage sorted runs of `run` keys, up and down in turns, come from runs of half the
 * length, by steps that compare keys run / 2, run / 4 ... 1 apart. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

/* ---- vector: vector types, and global memory in each step, as in Intel's OpenCL SDK ---- */

/* (a, b) is a bitonic sequence of eight: sorts it, by the steps of distance 4, 2, 1. */
void merge_eight(int4 *a, int4 *b, bool down)
{
    int4 low = min(*a, *b), high = max(*a, *b);
    int4 x = down ? high : low, y = down ? low : high;
    int4 even = (int4)(x.xy, y.xy), odd = (int4)(x.zw, y.zw);
    low = min(even, odd), high = max(even, odd);
    even = down ? high : low, odd = down ? low : high;
    int4 left = (int4)(even.xz, odd.xz), right = (int4)(even.yw, odd.yw); /* keys 0 4 2 6, 1 5 3 7 */
    low = min(left, right), high = max(left, right);
    left = down ? high : low, right = down ? low : high;
    *a = (int4)(left.x, right.x, left.z, right.z);
    *b = (int4)(left.y, right.y, left.w, right.w);
}

/* Runs of eight: sorts four pairs, two fours, and merges them. */
kernel void vector_first(global int4 *keys)
{
    uint i = get_global_id(0);
    int4 a = keys[2 * i], b = keys[2 * i + 1];
    int4 even = (int4)(a.xz, b.xz), odd = (int4)(a.yw, b.yw);
    int4 low = min(even, odd), high = max(even, odd);
    int4 x = (int4)(low.x, high.y, low.z, high.w), y = (int4)(high.x, low.y, high.z, low.w); /* up, down, up, down */
    int4 left = (int4)(x.x, y.x, x.z, y.z), right = (int4)(x.y, y.y, x.w, y.w);              /* keys 0 1 4 5, 2 3 6 7 */
    low = min(left, right), high = max(left, right);
    left = (int4)(low.xy, high.zw), right = (int4)(high.xy, low.zw);   /* up, down */
    even = (int4)(left.xz, right.xz), odd = (int4)(left.yw, right.yw); /* keys 0 4 2 6, 1 5 3 7 */
    low = min(even, odd), high = max(even, odd);
    even = (int4)(low.x, high.y, low.z, high.w), odd = (int4)(high.x, low.y, high.z, low.w);
    a = (int4)(even.x, odd.x, even.z, odd.z);
    b = (int4)(even.y, odd.y, even.w, odd.w);
    merge_eight(&a, &b, i & 1);
    keys[2 * i] = a;
    keys[2 * i + 1] = b;
}

/* The step of a distance of at least eight keys. */
kernel void vector_step(global int4 *keys, uint run, uint distance)
{
    uint i = get_global_id(0), vectors = distance / 4;
    uint first = (i & ~(vectors - 1)) * 2 + (i & (vectors - 1));
    int4 a = keys[first], b = keys[first + vectors];
    bool down = first * 4 & run;
    keys[first] = down ? max(a, b) : min(a, b);
    keys[first + vectors] = down ? min(a, b) : max(a, b);
}

/* The steps of distance 4, 2, 1. */
kernel void vector_last(global int4 *keys, uint run)
{
    uint i = get_global_id(0);
    int4 a = keys[2 * i], b = keys[2 * i + 1];
    merge_eight(&a, &b, i * 8 & run);
    keys[2 * i] = a;
    keys[2 * i + 1] = b;
}

/* ---- local: 512 keys of a work group in local memory ---- */

#define LOCAL_KEYS  512
#define LOCAL_ITEMS 256

void local_step(local int *keys, uint item, uint distance, bool down)
{
    uint first = (item & ~(distance - 1)) * 2 + (item & (distance - 1));
    int a = keys[first], b = keys[first + distance];
    keys[first] = down ? max(a, b) : min(a, b);
    keys[first + distance] = down ? min(a, b) : max(a, b);
    barrier(CLK_LOCAL_MEM_FENCE);
}

__attribute__((reqd_work_group_size(LOCAL_ITEMS, 1, 1))) kernel void local_sort(global int *keys)
{
    local int tile[LOCAL_KEYS];
    uint item = get_local_id(0), first = get_group_id(0) * LOCAL_KEYS;
    tile[item] = keys[first + item];
    tile[item + LOCAL_ITEMS] = keys[first + item + LOCAL_ITEMS];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint run = 2; run <= LOCAL_KEYS; run *= 2)
        for (uint distance = run / 2; distance; distance /= 2)
            local_step(tile, item, distance, (first + 2 * item) & run);
    keys[first + item] = tile[item];
    keys[first + item + LOCAL_ITEMS] = tile[item + LOCAL_ITEMS];
}

/* The steps of distance 256 to 1. */
__attribute__((reqd_work_group_size(LOCAL_ITEMS, 1, 1))) kernel void local_merge(global int *keys, uint run)
{
    local int tile[LOCAL_KEYS];
    uint item = get_local_id(0), first = get_group_id(0) * LOCAL_KEYS;
    tile[item] = keys[first + item];
    tile[item + LOCAL_ITEMS] = keys[first + item + LOCAL_ITEMS];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = LOCAL_KEYS / 2; distance; distance /= 2)
        local_step(tile, item, distance, first & run);
    keys[first + item] = tile[item];
    keys[first + item + LOCAL_ITEMS] = tile[item + LOCAL_ITEMS];
}

/* ---- subgroup: 256 keys of a sub-group in registers; key number 16 * lane + i is element i of a lane ---- */

#define SUBGROUP __attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1)))

/* A step between elements of a lane. */
#define ELEMENT_STEP(V, BIT, DOWN)                                                                                     \
    for (uint i = 0; i < 16; i++)                                                                                      \
        if (!(i & BIT)) {                                                                                              \
            int low = min(V[i], V[i | BIT]), high = max(V[i], V[i | BIT]);                                             \
            V[i] = (DOWN) ? high : low;                                                                                \
            V[i | BIT] = (DOWN) ? low : high;                                                                          \
        }

/* A step between lanes: a lane keeps the greater one if it is the second of the two, or else the smaller. */
#define LANE_STEP(V, BIT, DOWN)                                                                                        \
    {                                                                                                                  \
        bool greater = !(get_sub_group_local_id() & BIT) == (DOWN);                                                    \
        for (uint i = 0; i < 16; i++) {                                                                                \
            int other = intel_sub_group_shuffle_xor(V[i], BIT);                                                        \
            V[i] = greater ? max(V[i], other) : min(V[i], other);                                                      \
        }                                                                                                              \
    }

#define ELEMENT_STEPS(V, DOWN)                                                                                         \
    ELEMENT_STEP(V, 8, DOWN) ELEMENT_STEP(V, 4, DOWN) ELEMENT_STEP(V, 2, DOWN) ELEMENT_STEP(V, 1, DOWN)

#define LOAD_LANE(V)                                                                                                   \
    int V[16];                                                                                                         \
    for (uint i = 0; i < 16; i += 4)                                                                                   \
        vstore4(vload4(0, keys + get_global_id(0) * 16 + i), 0, V + i);
#define STORE_LANE(V)                                                                                                  \
    for (uint i = 0; i < 16; i += 4)                                                                                   \
        vstore4(vload4(0, V + i), 0, keys + get_global_id(0) * 16 + i);

SUBGROUP kernel void subgroup_sort(global int *keys)
{
    LOAD_LANE(v)
    uint lane = get_sub_group_local_id();
    ELEMENT_STEP(v, 1, i & 2)
    ELEMENT_STEP(v, 2, i & 4)
    ELEMENT_STEP(v, 1, i & 4)
    ELEMENT_STEP(v, 4, i & 8)
    ELEMENT_STEP(v, 2, i & 8)
    ELEMENT_STEP(v, 1, i & 8)
    ELEMENT_STEPS(v, lane & 1)
    bool down = lane & 2;
    LANE_STEP(v, 1, down)
    ELEMENT_STEPS(v, down)
    down = lane & 4;
    LANE_STEP(v, 2, down)
    LANE_STEP(v, 1, down)
    ELEMENT_STEPS(v, down)
    down = lane & 8;
    LANE_STEP(v, 4, down)
    LANE_STEP(v, 2, down)
    LANE_STEP(v, 1, down)
    ELEMENT_STEPS(v, down)
    down = get_group_id(0) & 1;
    LANE_STEP(v, 8, down)
    LANE_STEP(v, 4, down)
    LANE_STEP(v, 2, down)
    LANE_STEP(v, 1, down)
    ELEMENT_STEPS(v, down)
    STORE_LANE(v)
}

/* The steps of distance 128 to 1. */
SUBGROUP kernel void subgroup_merge(global int *keys, uint run)
{
    LOAD_LANE(v)
    bool down = get_group_id(0) * 256 & run;
    LANE_STEP(v, 8, down)
    LANE_STEP(v, 4, down)
    LANE_STEP(v, 2, down)
    LANE_STEP(v, 1, down)
    ELEMENT_STEPS(v, down)
    STORE_LANE(v)
}

/* Steps of COUNT / 2, ..., 2, 1 times `distance`: a work item takes COUNT vectors of four, so far apart. */
#define SUBGROUP_STEPS(NAME, COUNT)                                                                                    \
    SUBGROUP kernel void NAME(global int *keys, uint run, uint distance)                                               \
    {                                                                                                                  \
        uint i = get_global_id(0) * 4, first = (i & ~(distance - 1)) * COUNT + (i & (distance - 1));                   \
        bool down = first & run;                                                                                       \
        int4 v[COUNT];                                                                                                 \
        for (uint k = 0; k < COUNT; k++)                                                                               \
            v[k] = vload4(0, keys + first + k * distance);                                                             \
        for (uint bit = COUNT / 2; bit; bit /= 2)                                                                      \
            for (uint k = 0; k < COUNT; k++)                                                                           \
                if (!(k & bit)) {                                                                                      \
                    int4 low = min(v[k], v[k | bit]), high = max(v[k], v[k | bit]);                                    \
                    v[k] = down ? high : low;                                                                          \
                    v[k | bit] = down ? low : high;                                                                    \
                }                                                                                                      \
        for (uint k = 0; k < COUNT; k++)                                                                               \
            vstore4(v[k], 0, keys + first + k * distance);                                                             \
    }

SUBGROUP_STEPS(subgroup_steps_2, 2)
SUBGROUP_STEPS(subgroup_steps_4, 4)
SUBGROUP_STEPS(subgroup_steps_8, 8)
