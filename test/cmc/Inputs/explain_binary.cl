__kernel void scale(__global const float *in, __global float *out, float factor)
{
    size_t i = get_global_id(0);
    float v = in[i] * factor;
    out[i] = v;
}
