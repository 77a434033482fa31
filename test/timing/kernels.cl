/* Kernels whose times are compared: local memory and a barrier, global atomics, and a chain of multiply-adds. */
kernel void mixed(global const int *in, global int *out, global int *total)
{
    local int kept[256];
    int me = get_local_id(0), sum = 0;
    kept[me] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 64; i++)
        sum += kept[(me * 7 + i) & 255] * (i + 1);
    if (sum & 1)
        sum = sum * 3 + in[sum & 255];
    atomic_add(total, sum);
    out[get_global_id(0)] = sum;
}

kernel void chain(global float *out, float factor, int rounds)
{
    float x = factor, y = get_local_id(0);
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int i = 0; i < 32; i++)
            x = mad(x, factor, y);
    }
    out[get_global_id(0)] = x;
}
