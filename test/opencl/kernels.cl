/* Kernels of the OpenCL tests. */

kernel void vector_add(global const float *a, global const float *b, global float *sum, float factor)
{
    size_t i = get_global_id(0);
    sum[i] = a[i] + factor * b[i];
}

#ifdef __IMAGE_SUPPORT__ /* PVC has no images: Intel's newest compiler refuses them there */
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

/* Each pixel one to the left and inverted. */
kernel void shift_invert(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(out, at, 255 - read_imageui(in, nearest, at - (int2)(1, 0)));
}
#endif

/* Private memory that cannot stay in registers: its index is known only at run time. */
kernel void scramble(global const uint *order, global uint *out, uint rounds)
{
    uint table[64];
    uint id = (uint)get_global_id(0);
    for (uint i = 0; i < 64; i++)
        table[i] = i * 3 + id;
    for (uint r = 0; r < rounds; r++)
        for (uint i = 0; i < 64; i++) {
            uint to = order[i];
            uint t = table[i];
            table[i] = table[to] + r;
            table[to] = t;
        }
    uint sum = 0;
    for (uint i = 0; i < 64; i++)
        sum = sum * 31 + table[i];
    out[id] = sum;
}
