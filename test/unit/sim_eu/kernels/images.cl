__kernel void box(__read_only image2d_t in, __write_only image2d_t out, sampler_t s)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(in, s, convert_float2(p + (int2)(x, y)) + 0.5f);
    write_imagef(out, p, sum / 9.0f);
}
