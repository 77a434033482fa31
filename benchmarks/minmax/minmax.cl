/* Least and greatest of each 4x4 pixels of a float image, a block a work item; beyond the image its edge counts again.
 */

/* The blog's shader: four loads of four pixels, then everything lane by lane. */
__kernel void minmax(const __global float *in, __global float2 *out, int width, int height)
{
    int across = get_global_id(0), down = get_global_id(1), x = across * 4, y = down * 4;
    float4 rows[4];
    if (x >= width)
        return;
    if (x + 4 <= width && y + 4 <= height) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            rows[i] = vload4(0, in + (y + i) * width + x);
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const __global float *row = in + min(y + i, height - 1) * width;
            rows[i] =
                (float4)(row[x], row[min(x + 1, width - 1)], row[min(x + 2, width - 1)], row[min(x + 3, width - 1)]);
        }
    }
    float4 low = fmin(fmin(rows[0], rows[1]), fmin(rows[2], rows[3]));
    float4 high = fmax(fmax(rows[0], rows[1]), fmax(rows[2], rows[3]));
    out[down * ((width + 3) / 4) + across] =
        (float2)(fmin(fmin(low.x, low.y), fmin(low.z, low.w)), fmax(fmax(high.x, high.y), fmax(high.z, high.w)));
}

/* The same from an image: gather4 has no place in OpenCL C, so 16 reads through the sampler, which repeats the edge. */
__kernel void minmax_image(__read_only image2d_t in, __global float2 *out, int width, int height)
{
    const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int across = get_global_id(0), down = get_global_id(1);
    if (across * 4 >= width)
        return;
    float low = INFINITY, high = -INFINITY;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        float pixel = read_imagef(in, sampler, (int2)(across * 4 + i % 4, down * 4 + i / 4)).x;
        low = fmin(low, pixel);
        high = fmax(high, pixel);
    }
    out[down * ((width + 3) / 4) + across] = (float2)(low, high);
}
