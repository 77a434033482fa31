/* Only on parts that have doubles. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void double_arithmetic(__global const double *a, __global double *o, __global float *f)
{
    int i = get_global_id(0);
    double x = a[i], y = a[i + 1];
    o[i] = x / y + sqrt(x) * fma(x, y, 3.0) + floor(x) + (double)i + fmax(x, y);
    f[i] = (float)x + (float)(int)y + (x > y ? 1.0f : 0.0f) + (float)convert_long(x);
    o[i + 64] = sin(x) + exp(y);
}
