__kernel void builtins(__global const float *a, __global float *o)
{
    int i = get_global_id(0);
    float x = a[i], y = a[i + 1];
    o[i] = sin(x) + cos(y) + tan(x) + exp(x) + log(fabs(y)) + pow(fabs(x), y) + rsqrt(fabs(x)) + x / y + sqrt(y);
    o[i + 99] = floor(x) + ceil(y) + rint(x) + trunc(y) + fmod(x, y) + fract(x, o + i + 300) + fma(x, y, 1.0f);
    o[i + 199] =
        native_exp2(x) + native_log2(y) + native_sin(x) + native_divide(x, y) + native_recip(x) + mix(x, y, 0.3f);
    o[i + 250] = isnan(x) + isinf(y) + ldexp(x, i) + atan2(x, y) + tgamma(x) + cbrt(y) + hypot(x, y) +
                 dot((float4)(x), (float4)(y));
}
