// Divides and takes square roots; compiled with correctly rounded floats.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void divisions(global const double *a, global const double *b, global const float *c, global const float *d,
                      global double *quotient, global double *root, global float *short_quotient,
                      global float *short_root)
{
    size_t i = get_global_id(0);
    quotient[i] = a[i] / b[i];
    root[i] = sqrt(fabs(a[i]));
    short_quotient[i] = c[i] / d[i];
    short_root[i] = sqrt(fabs(c[i]));
}
