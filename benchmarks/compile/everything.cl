// Does the same as everything.cm, with one element per work item.
float smooth(float before, float after)
{
    return (before + after) * 0.5f;
}

__attribute__((intel_reqd_sub_group_size(16))) __kernel void everything(const __global float *in, __global uint *out,
                                                                        const __global float *flat, uint factor)
{
    __local int shared[1024];
    uint id = get_global_id(0), lane = get_sub_group_local_id();
    float v = in[id], w = flat[id];
    int a = as_int(in[lane * factor]), b;

    float m = v + sub_group_broadcast(v, 5);
    m = v > 0.5f ? w : m;
    w = sqrt(fabs(v)) + exp2(m) * native_recip(w + 2.0f) - fmax(v, fmin(w, 1.0f));
    for (uint n = 16; n > 2; n /= 2)
        w = smooth(sub_group_broadcast(w, n - 2), sub_group_broadcast(w, n - 1));
    b = convert_int_rte(w) & a << 3;
    b += a * 5 + rhadd(a, b) + as_ushort2(a).y + (int)(lane % 4 + 2);
    if (b > a) {
        b -= a;
        w += native_sin(v);
    } else {
        w *= 2;
    }

    shared[lane] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    a = shared[15 - lane];
    atomic_add(&out[lane], (uint)a);
#pragma unroll
    for (int i = 0; i < 4; i++)
        w += sub_group_reduce_add(m);
    out[id] = as_uint(w);
}
