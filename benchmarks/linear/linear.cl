/* 3x3 box blur, Algorithm 1 of "C-for-Metal: High Performance SIMD Programming on Intel GPUs" (CGO 2021): a work item for
 * each pixel, nine reads through the sampler. OpenCL has no images of three channels, so pixels are RGBA of unsigned
 * normalised bytes; the sampler delivers 0..1 and the image write turns 0..1 into bytes, rounding to nearest. The paper
 * converts to uint4 before writing, which would leave nothing of values between 0 and 1; here the write converts. */
__kernel void linear(__read_only image2d_t src, __write_only image2d_t dst, int width, int height)
{
    const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = get_global_id(0);
    int y = get_global_id(1);
    float4 sum = 0.0f;

#pragma unroll
    for (int i = -1; i <= 1; i++) {
#pragma unroll
        for (int j = -1; j <= 1; j++) {
            int column = min(width - 1, max(0, x + j));
            int row = min(height - 1, max(0, y + i));
            sum.xyz += read_imagef(src, sampler, (int2)(column, row)).xyz;
        }
    }
    /* the last group of a row can reach beyond the picture */
    if (x < width && y < height)
        write_imagef(dst, (int2)(x, y), (float4)(sum.xyz * 0.1111f, 1.0f));
}
