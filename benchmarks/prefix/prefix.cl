/* Inclusive prefix sum of uint, in three launches: per block, over the blocks' sums, and per block again. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

/* Blelloch's algorithm ("Scans as primitive parallel operations", 1989) in local memory: a group of 256 work items
 * takes 512 elements up and down the tree. PAD keeps the strides off the same bank. */
#define GROUP  256
#define PAD(I) ((I) + ((I) >> 4))

/* Exclusive sums of tile[PAD(0)] ... tile[PAD(2 * GROUP - 1)]; returns the sum of all. */
uint blelloch_tile(local uint *tile, uint item)
{
    for (uint stride = 1, active = GROUP; active; stride *= 2, active /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < active)
            tile[PAD(stride * (2 * item + 2) - 1)] += tile[PAD(stride * (2 * item + 1) - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = tile[PAD(2 * GROUP - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
        tile[PAD(2 * GROUP - 1)] = 0;
    for (uint stride = GROUP, active = 1; active <= GROUP; stride /= 2, active *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < active) {
            uint left = PAD(stride * (2 * item + 1) - 1), right = PAD(stride * (2 * item + 2) - 1);
            uint old = tile[left];
            tile[left] = tile[right];
            tile[right] += old;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

/* out = inclusive sums within each block of 512; sums = the blocks' sums */
__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void blelloch_blocks(global const uint *in, global uint *out,
                                                                               global uint *sums, uint count)
{
    local uint tile[PAD(2 * GROUP)];
    uint item = get_local_id(0), first = get_group_id(0) * 2 * GROUP;
    uint a = first + item < count ? in[first + item] : 0;
    uint b = first + item + GROUP < count ? in[first + item + GROUP] : 0;
    tile[PAD(item)] = a;
    tile[PAD(item + GROUP)] = b;
    uint sum = blelloch_tile(tile, item);
    if (first + item < count)
        out[first + item] = tile[PAD(item)] + a;
    if (first + item + GROUP < count)
        out[first + item + GROUP] = tile[PAD(item + GROUP)] + b;
    if (item == 0)
        sums[get_group_id(0)] = sum;
}

/* sums = exclusive sums of sums, by one group */
__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void blelloch_starts(global uint *sums, uint count)
{
    local uint tile[PAD(2 * GROUP)];
    uint item = get_local_id(0), before = 0;
    for (uint first = 0; first < count; first += 2 * GROUP) {
        tile[PAD(item)] = first + item < count ? sums[first + item] : 0;
        tile[PAD(item + GROUP)] = first + item + GROUP < count ? sums[first + item + GROUP] : 0;
        uint sum = blelloch_tile(tile, item);
        if (first + item < count)
            sums[first + item] = before + tile[PAD(item)];
        if (first + item + GROUP < count)
            sums[first + item + GROUP] = before + tile[PAD(item + GROUP)];
        before += sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void blelloch_add(global uint *out, global const uint *sums,
                                                                            uint count)
{
    uint start = sums[get_group_id(0)], first = get_group_id(0) * 2 * GROUP + get_local_id(0);
    if (first < count)
        out[first] += start;
    if (first + GROUP < count)
        out[first + GROUP] += start;
}

/* With sub-groups: a work item has sixteen neighbours in registers, a sub-group 256 elements at a time, 2048
 * altogether; what goes from lane to lane goes by sub-group scans, and nothing through local memory. */
#define EACH  16
#define CHUNK (16 * EACH)
#define BLOCK (8 * CHUNK)

uint16 load(global const uint *in, uint at, uint count)
{
    if (at + EACH <= count)
        return vload16(0, in + at);
    uint16 v = 0;
    for (uint i = 0; i < EACH; i++)
        v[i] = at + i < count ? in[at + i] : 0;
    return v;
}

void store(global uint *out, uint at, uint count, uint16 v)
{
    if (at + EACH <= count) {
        vstore16(v, 0, out + at);
        return;
    }
    for (uint i = 0; i < EACH; i++)
        if (at + i < count)
            out[at + i] = v[i];
}

/* Inclusive sums of the sub-group's chunk after *before, which then includes the chunk. */
uint16 scan_chunk(uint16 v, uint *before)
{
    for (uint i = 1; i < EACH; i++)
        v[i] += v[i - 1];
    uint start = sub_group_scan_exclusive_add(v[EACH - 1]) + *before;
    v += start;
    *before = sub_group_broadcast(v[EACH - 1], 15);
    return v;
}

__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) kernel void
subgroup_sums(global const uint *in, global uint *sums, uint count)
{
    uint first = get_group_id(0) * BLOCK + get_sub_group_local_id() * EACH;
    uint16 sum = 0;
    for (uint i = 0; i < BLOCK; i += CHUNK)
        sum += load(in, first + i, count);
    uint8 s8 = sum.lo + sum.hi;
    uint4 s4 = s8.lo + s8.hi;
    uint total = sub_group_reduce_add(s4.x + s4.y + s4.z + s4.w);
    if (get_sub_group_local_id() == 0)
        sums[get_group_id(0)] = total;
}

__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) kernel void
subgroup_starts(global uint *sums, uint count)
{
    uint before = 0;
    for (uint i = 0; i < count; i += CHUNK) {
        uint at = i + get_sub_group_local_id() * EACH;
        store(sums, at, count, scan_chunk(load(sums, at, count), &before));
    }
}

__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) kernel void
subgroup_scan(global const uint *in, global const uint *sums, global uint *out, uint count)
{
    uint before = get_group_id(0) ? sums[get_group_id(0) - 1] : 0;
    for (uint i = 0; i < BLOCK; i += CHUNK) {
        uint at = get_group_id(0) * BLOCK + i + get_sub_group_local_id() * EACH;
        store(out, at, count, scan_chunk(load(in, at, count), &before));
    }
}
