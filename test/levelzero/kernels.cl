/* Kernels of the Level Zero tests. */

kernel void vector_add(global const int *a, global const int *b, global int *sum, int factor)
{
    size_t i = get_global_id(0);
    sum[i] = a[i] + factor * b[i];
}

/* Where each work item is, from all that the payload says about it. */
kernel void positions(global uint *out)
{
    size_t width = get_global_size(0), height = get_global_size(1);
    size_t i = (get_global_id(2) * height + get_global_id(1)) * width + get_global_id(0);
    out[4 * i + 0] = (uint)(get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16);
    out[4 * i + 1] = (uint)(get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16);
    out[4 * i + 2] = (uint)(get_num_groups(0) | get_num_groups(1) << 8 | get_num_groups(2) << 16);
    out[4 * i + 3] = (uint)(get_local_size(0) | get_local_size(1) << 8 | get_local_size(2) << 16);
}

/* One sum for each group, through local memory and barriers. */
kernel void group_sum(global const uint *in, global uint *sums, local uint *partial)
{
    uint local_id = (uint)get_local_id(0);
    partial[local_id] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = (uint)get_local_size(0) / 2; step > 0; step /= 2) {
        if (local_id < step)
            partial[local_id] += partial[local_id + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (local_id == 0)
        sums[get_group_id(0)] = partial[0];
}

/* Reads the address that it is given: for tests of what happens to bad ones. */
kernel void read_anywhere(ulong address, global uint *out)
{
    out[0] = *(global uint *)address;
}

/* Does not end by itself. */
kernel void spin(global volatile uint *flag)
{
    while (flag[0] == 0)
        ;
}

constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

/* The mean of each pixel and its right neighbour, by sampling half way between them. */
kernel void half_way(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, linear, convert_float2(at) + (float2)(1.0f, 0.5f)));
}
