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

/* Says that it runs, then waits for the host. */
kernel void answer(global volatile uint *flags)
{
    flags[1] = 1;
    while (flags[0] == 0)
        ;
}

constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

/* The mean of each pixel and its right neighbour, by sampling half way between them. */
kernel void half_way(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, linear, convert_float2(at) + (float2)(1.0f, 0.5f)));
}

/* Every work item adds to the same few counters, in each way that the hardware has for it: 0 increment, 1 add, 2 sub,
 * 3 min, 4 max, 5 or, 6 xor, 7 add by compare and exchange, 8 float add by compare and exchange, 9 add of the group's
 * counter in local memory, 10 places given out (each once) */
kernel void contend(volatile global uint *counter, volatile global uint *places, volatile local uint *in_group)
{
    uint id = (uint)get_global_id(0);
    if (get_local_id(0) == 0)
        in_group[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counter[0]);
    atomic_add(&counter[1], id);
    atomic_sub(&counter[2], 3);
    atomic_min(&counter[3], id + 5);
    atomic_max(&counter[4], id + 5);
    atomic_or(&counter[5], 1u << id % 32);
    atomic_xor(&counter[6], id);
    for (uint seen = counter[7], was; (was = atomic_cmpxchg(&counter[7], seen, seen + id)) != seen; seen = was)
        ;
    for (uint seen = counter[8], was;
         (was = atomic_cmpxchg(&counter[8], seen, as_uint(as_float(seen) + 0.5f))) != seen; seen = was)
        ;
    atomic_add(&in_group[0], id);
    atomic_inc(&places[atomic_inc(&counter[10])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(&counter[9], in_group[0]);
}

/* Sorts each group's numbers in local memory: a barrier for every step of a bitonic network. */
kernel void sort_groups(global int *data, local int *part)
{
    uint me = (uint)get_local_id(0), size = (uint)get_local_size(0);
    part[me] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint run = 2; run <= size; run *= 2)
        for (uint step = run / 2; step > 0; step /= 2) {
            uint other = me ^ step;
            int mine = part[me], theirs = part[other];
            int wants_smaller = (me < other) == ((me & run) == 0);
            barrier(CLK_LOCAL_MEM_FENCE);
            part[me] = wants_smaller ? min(mine, theirs) : max(mine, theirs);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    data[get_global_id(0)] = part[me];
}

/* Every item moves one place of a queue forward: launches that run twice or not at all show. */
kernel void add_one(global uint *data)
{
    data[get_global_id(0)] += 1;
}

kernel void say(global const int *values)
{
    uint i = (uint)get_global_id(0);
    printf("item %u: %d %x %s %.2f %v4d\n", i, values[i], values[i], i % 2 ? "odd" : "even", i * 0.25f,
           (int4)(values[i]) + (int4)(0, 1, 2, 3));
}

/* The sum of the channel over the depth, at each place. */
kernel void sum_depth(read_only image3d_t in, global float *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    float sum = 0;
    for (int z = 0; z < get_image_depth(in); z++)
        sum += read_imagef(in, (int4)(x, y, z, 0)).x;
    out[y * get_image_width(in) + x] = sum;
}

__attribute__((intel_reqd_sub_group_size(8))) kernel void lanes_8(global uint *out)
{
    out[get_global_id(0)] = get_sub_group_local_id() << 16 | get_sub_group_id() << 8 | get_sub_group_size();
}

__attribute__((intel_reqd_sub_group_size(16))) kernel void lanes_16(global uint *out)
{
    out[get_global_id(0)] = get_sub_group_local_id() << 16 | get_sub_group_id() << 8 | get_sub_group_size();
}

__attribute__((intel_reqd_sub_group_size(32))) kernel void lanes_32(global uint *out)
{
    out[get_global_id(0)] = get_sub_group_local_id() << 16 | get_sub_group_id() << 8 | get_sub_group_size();
}

/* Half of the group never comes to the barrier. */
kernel void half_a_barrier(global uint *out)
{
    if (get_local_id(0) < get_local_size(0) / 2)
        barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}

/* A block read at `offset` bytes from the start: must be a multiple of four. */
__attribute__((intel_reqd_sub_group_size(8))) kernel void read_block(global uint *out, uint offset)
{
    uint block = intel_sub_group_block_read((global uint *)((global char *)out + offset));
    out[64 + get_global_id(0)] = block;
}

/* Reads far outside in odd items, inside in even ones. */
__attribute__((intel_reqd_sub_group_size(16))) kernel void read_half(global const uint *in, ulong nowhere,
                                                                     global uint *out)
{
    size_t i = get_global_id(0);
    global const uint *from = i % 2 ? (global const uint *)nowhere : in + i;
    out[i] = *from + 1;
}

/* Pixels as they are, for the three kinds of channels. */
constant sampler_t pixel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void pixels_real(read_only image2d_t image, global float4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[(size_t)y * get_global_size(0) + (size_t)x] = read_imagef(image, pixel, (int2)(x, y));
}

kernel void pixels_signed(read_only image2d_t image, global int4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[(size_t)y * get_global_size(0) + (size_t)x] = read_imagei(image, pixel, (int2)(x, y));
}

kernel void pixels_unsigned(read_only image2d_t image, global uint4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[(size_t)y * get_global_size(0) + (size_t)x] = read_imageui(image, pixel, (int2)(x, y));
}
