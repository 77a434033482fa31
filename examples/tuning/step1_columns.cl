/* Step 1 in OpenCL C: a work item computes six pixels, one below the other. The sums of three neighbours serve three
 * pixels each: 24 reads instead of 54. Groups of 16x4. */
__kernel void blur(__read_only image2d_t src, __write_only image2d_t dst, int width, int height)
{
    const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = get_global_id(0), y = get_global_id(1) * 6;
    float4 sides[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        sides[i] = read_imagef(src, sampler, (int2)(x - 1, y - 1 + i)) +
                   read_imagef(src, sampler, (int2)(x, y - 1 + i)) +
                   read_imagef(src, sampler, (int2)(x + 1, y - 1 + i));
#pragma unroll
    for (int i = 0; i < 6; i++)
        if (x < width && y + i < height)
            write_imagef(dst, (int2)(x, y + i), (float4)((sides[i] + sides[i + 1] + sides[i + 2]).xyz * 0.1111f, 1.0f));
}
