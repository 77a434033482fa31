/* High halves of products, division, bit counting, rotation, saturation, narrow types. */
__kernel void multiply(__global const int *a, __global const uint *b, __global int *out)
{
    int i = get_global_id(0);
    out[i] = mul_hi(a[i], a[i + 1]) + (int)mul_hi(b[i], b[i + 1]) + mad24(a[i], a[i + 2], 7) +
             mad_sat(a[i], a[i + 1], a[i + 2]);
    out[i] += a[i] / a[i + 3] - a[i] % 7 + (int)(b[i] / b[i + 3]) + (int)(b[i] % 10u);
}
__kernel void bits(__global const uint *a, __global uint *out)
{
    int i = get_global_id(0);
    uint x = a[i];
    out[i] = popcount(x) + clz(x) * 3 + rotate(x, a[i + 1]) + (x << (i & 31)) + ((int)x >> 3) + hadd(x, a[i + 1]) +
             rhadd(x, a[i + 1]);
    out[i] ^=
        bitselect(x, a[i + 1], a[i + 2]) + abs_diff((int)x, (int)a[i + 1]) + add_sat((int)x, 77) + sub_sat(x, 77u);
}
__kernel void narrow(__global const uchar16 *a, __global short8 *b, __global char4 *c)
{
    int i = get_global_id(0);
    uchar16 v = a[i];
    b[i] = convert_short8(v.lo) * convert_short8(v.hi) + (short8)(i);
    c[i] = convert_char4_sat(convert_int4(v.s0123) * 3 - 200) + convert_char4_sat_rte(convert_float4(v.s4567) * -1.7f);
}
