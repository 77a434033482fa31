/* Histogram of bytes: how often each of 256 values occurs. */

#ifndef FAMILY_histogram
/* Counters of a work-group in local memory; a work item counts 64 bytes, four loads of uint4, each lane beside its
 * neighbour's; then all add to the result together. Groups of 256. */
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void histogram(const __global uchar *in, __global uint *out, uint bytes)
{
    __local uint counts[256];
    uint lane = get_local_id(0), base = get_group_id(0) * (256 * 64);
    counts[lane] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        uint at = base + (i * 256 + lane) * 16;
        if (at + 16 <= bytes) {
            uint4 four = vload4(0, (const __global uint *)(in + at));
            uint words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int k = 0; k < 4; k++) {
                uchar4 values = as_uchar4(words[k]);
                atomic_inc(&counts[values.x]);
                atomic_inc(&counts[values.y]);
                atomic_inc(&counts[values.z]);
                atomic_inc(&counts[values.w]);
            }
        } else
            for (; at < bytes && at < base + (i * 256 + lane) * 16 + 16; at++)
                atomic_inc(&counts[in[at]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (counts[lane])
        atomic_add(&out[lane], counts[lane]);
}

#endif

#ifndef LOADS /* `cmbench tune` chooses others */
#define LOADS 16
#define GROUP 256
#endif

/* The same in longer work: a work item counts 256 bytes, so that a group adds to the result a quarter as often. */
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void histogram_long(const __global uchar *in, __global uint *out, uint bytes)
{
    __local uint counts[256];
    uint lane = get_local_id(0), base = get_group_id(0) * (GROUP * LOADS * 16);
    for (uint i = lane; i < 256; i += GROUP)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < LOADS; i++) {
        uint at = base + (i * GROUP + lane) * 16;
        if (at + 16 <= bytes) {
            uint4 four = vload4(0, (const __global uint *)(in + at));
            uint words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int k = 0; k < 4; k++) {
                uchar4 values = as_uchar4(words[k]);
                atomic_inc(&counts[values.x]);
                atomic_inc(&counts[values.y]);
                atomic_inc(&counts[values.z]);
                atomic_inc(&counts[values.w]);
            }
        } else
            for (; at < bytes && at < base + (i * GROUP + lane) * 16 + 16; at++)
                atomic_inc(&counts[in[at]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lane; i < 256; i += GROUP)
        if (counts[i])
            atomic_add(&out[i], counts[i]);
}
