/* 1x1 convolution of a network layer: out[k][p] = max(0, bias[k] + sum over c of weights[k][c] * in[c][p]) for pixels
 * p. All arrays are buffers of floats, rows without gaps. channels is a multiple of 16, the number of output channels
 * one of 32. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

kernel void naive(global const float *in, global const float *weights, global const float *bias, global float *out,
                  uint channels, uint pixels)
{
    uint p = get_global_id(0), k = get_global_id(1);
    if (p >= pixels)
        return;
    float sum = bias[k];
    for (uint c = 0; c < channels; c++)
        sum = mad(weights[k * channels + c], in[c * pixels + p], sum);
    out[k * pixels + p] = max(sum, 0.0f);
}

/* The group shares a tile of the weights, 32 output channels by 16, in local memory; a work item has one pixel of 32
 * channels. */
__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(64, 1, 1))) kernel void
slm(global const float *in, global const float *weights, global const float *bias, global float *out, uint channels,
    uint pixels)
{
    local float tile[16][32];
    uint item = get_local_id(0), p = get_global_id(0), first = get_group_id(1) * 32;
    float sum[32];
    for (uint i = 0; i < 32; i++)
        sum[i] = bias[first + i];
    uint at = min(p, pixels - 1);
    for (uint c = 0; c < channels; c += 16) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < 512; i += 64)
            tile[i % 16][i / 16] = weights[(first + i / 16) * channels + c + i % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
        __attribute__((opencl_unroll_hint(2))) for (uint n = 0; n < 16; n++) {
            float value = in[(c + n) * pixels + at];
            for (uint i = 0; i < 32; i += 4) {
                float4 factors = vload4(0, &tile[n][i]);
                for (uint k = 0; k < 4; k++)
                    sum[i + k] = mad(factors[k], value, sum[i + k]);
            }
        }
    }
    if (p < pixels)
        for (uint i = 0; i < 32; i++)
            out[(first + i) * pixels + p] = max(sum[i], 0.0f);
}

/* A sub-group has 32 output channels of sixteen pixels: sub-group reads of rows of weights, whose lanes are broadcast.
 * The last group of a row reads beyond it, and up to 15 floats beyond the input, and does not write that. */
__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) kernel void
subgroup(global const float *in, global const float *weights, global const float *bias, global float *out,
         uint channels, uint pixels)
{
    uint pixel = get_group_id(0) * 16, first = get_group_id(1) * 32, lane = get_sub_group_local_id();
    float sum[32];
    for (uint i = 0; i < 32; i++)
        sum[i] = bias[first + i];
    uint at_in = pixel, at_weights = first * channels;
    for (uint c = 0; c < channels; c += 16) {
        float value[16];
        __attribute__((opencl_unroll_hint)) for (uint n = 0; n < 16; n++) {
            value[n] = as_float(intel_sub_group_block_read((global const uint *)in + at_in));
            at_in += pixels;
        }
        uint at = at_weights;
        __attribute__((opencl_unroll_hint)) for (uint i = 0; i < 32; i++) {
            float factors = as_float(intel_sub_group_block_read((global const uint *)weights + at));
            __attribute__((opencl_unroll_hint)) for (uint n = 0; n < 16; n++)
                sum[i] = mad(intel_sub_group_shuffle(factors, n), value[n], sum[i]);
            at += channels;
        }
        at_weights += 16;
    }
    if (pixel + lane < pixels)
        for (uint i = 0; i < 32; i++)
            out[(first + i) * pixels + pixel + lane] = max(sum[i], 0.0f);
}
