/* Vector add in OpenCL C, and a kernel for each kind of argument that cmrun can give. */
__kernel void vadd(__global const uint *a, __global const uint *b, __global uint *sum)
{
    size_t i = get_global_id(0);
    sum[i] = a[i] + b[i];
}

__kernel void kinds(__global uint *out, uint scalar, uchar4 vector, ulong wide, __local uint *local_sum, float factor)
{
    uint number = get_local_id(0);
    local_sum[number] = scalar + number;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint total = 0;
    for (uint i = 0; i < get_local_size(0); i++)
        total += local_sum[i];
    size_t i = get_global_id(0);
    out[i] =
        total + (vector.x + 10 * vector.y + 100 * vector.z + 1000 * vector.w) + (uint)(wide >> 32) + (uint)(factor * i);
}

__kernel void flip(__read_only image2d_t src, __write_only image2d_t dst, sampler_t sampler)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int2 from = (int2)(get_image_width(src) - 1 - at.x, at.y);
    write_imagef(dst, at, read_imagef(src, sampler, from));
}
