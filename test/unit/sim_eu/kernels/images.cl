__kernel void box(__read_only image2d_t in, __write_only image2d_t out, sampler_t s)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(in, s, convert_float2(p + (int2)(x, y)) + 0.5f);
    write_imagef(out, p, sum / 9.0f);
}
__kernel void private_array(__global const int *in, __global int *out, int n)
{
    int i = get_global_id(0);
    int table[64];
    for (int k = 0; k < 64; k++)
        table[k] = in[(i * 7 + k) & 63];
    for (int k = 0; k < n; k++)
        table[table[k & 63] & 63] += k;
    out[i] = table[i & 63] + table[n & 63];
}
