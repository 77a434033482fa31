/* Kernels whose times are compared: local memory and a barrier, global atomics, a chain of multiply-adds, scratch
 * memory. */
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

/* Its array does not fit the registers: it is in the thread's part of scratch memory. */
kernel void in_scratch(global const int *in, global int *out)
{
    int values[96], id = get_global_id(0);
    for (int i = 0; i < 96; i++)
        values[i] = in[(id + i) & 1023];
    int at = 0;
    for (int i = 0; i < 64; i++) {
        values[at] += id;
        at = (values[at] & 0x7fffffff ^ i) % 96;
    }
    int sum = 0;
    for (int i = 0; i < 96; i++)
        sum += values[i] ^ values[(i + at) % 96];
    out[id] = sum;
}
