#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void half_arithmetic(__global const half *a, __global const half *b, __global half *c, __global float *d)
{
    int i = get_global_id(0);
    half x = a[i], y = b[i];
    half m = fmax(x, y) - fmin(x, y * (half)0.5h);
    c[i] = mad(x, y, m) + sqrt(fabs(x)) / y;
    d[i] = (float)x * 3.0f + vload_half(i, b);
    vstore_half4((float4)(d[i], 1.0f, 2.0f, d[i] * 2.0f), i, c + 64);
}
