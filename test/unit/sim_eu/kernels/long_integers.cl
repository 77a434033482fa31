__kernel void long_arithmetic(__global const long *a, __global const ulong *b, __global long *out, int n)
{
    int i = get_global_id(0);
    long x = a[i];
    ulong y = b[i];
    out[i] = x * a[i + 1] + (long)(y >> (n & 63)) - (x << 7) + (x >> n) + (long)mul_hi(y, b[i + 1]);
    out[i + 64] = (x > a[i + 2] ? x : -x) + (long)(y < b[i + 2]) + (long)(float)x + convert_long((float)y);
    out[i + 128] = x / a[i + 3] + (long)(y % b[i + 3]);
}
