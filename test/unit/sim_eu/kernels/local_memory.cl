/* Shared local memory, barriers, atomics and sub-groups; an array in private memory. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void reduce(__global const float *in, __global float *out,
                                                                      __global int *count)
{
    __local float part[64];
    int l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
    float g = sub_group_reduce_add(in[l]) + sub_group_broadcast(in[l], 3) + sub_group_scan_exclusive_max(in[l]);
    if (g > 3)
        atomic_inc(count);
}
__kernel void private_array(__global const int *in, __global int *out, int n)
{
    int i = get_global_id(0);
    int table[64];
    for (int k = 0; k < 64; k++)
        table[k] = in[(i * 7 + k) & 63];
    for (int k = 0; k < n; k++)
        table[table[k & 63] & 63] += k;
    out[i] = table[i & 63] + table[n & 63];
}
