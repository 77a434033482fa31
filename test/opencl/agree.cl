/* Kernels whose results the OpenCL specification fixes to the bit. Each takes `in` (4 words for each item) and writes
 * 8 words for each item; agree.c compares the simulated GPU with the host's CPU. */
#pragma OPENCL FP_CONTRACT OFF

#define ITEM                                                     \
    size_t id = get_global_id(0);                                \
    uint a = in[4 * id], b = in[4 * id + 1], c = in[4 * id + 2], d = in[4 * id + 3]; \
    global uint *o = out + 8 * id;                               \
    (void)a, (void)b, (void)c, (void)d

kernel void integers(global const uint *in, global uint *out)
{
    ITEM;
    o[0] = a * b + c;
    o[1] = mul_hi(a, b);
    o[2] = (uint)mul_hi((int)a, (int)b);
    o[3] = a / (b | 1);
    o[4] = (uint)((int)a % (int)(b | 1));
    o[5] = rotate(a, b) ^ (a << (c & 31)) ^ (uint)((int)b >> (d & 31));
    o[6] = popcount(a) + (clz(b) << 8) + (uint)(max((int)a, (int)c) & 0xff) * 65536;
    o[7] = mad24((int)(a & 0xfffff), (int)(b & 7), (int)c) + abs_diff((int)c, (int)d) + hadd(a, b) + rhadd(c, d);
}

kernel void small_integers(global const uint *in, global uint *out)
{
    ITEM;
    char4 x = as_char4(a), y = as_char4(b);
    short2 s = as_short2(c), t = as_short2(d);
    uchar4 u = as_uchar4(c);
    o[0] = as_uint(x + y);
    o[1] = as_uint(add_sat(x, y));
    o[2] = as_uint(sub_sat(as_uchar4(a), as_uchar4(b)));
    o[3] = as_uint(s * t);
    o[4] = as_uint(convert_short2_sat(convert_int2(s) * convert_int2(t)));
    o[5] = as_uint(u >> (uchar4)(1, 2, 3, 4)) ^ as_uint(x << (char4)(1));
    o[6] = as_uint(convert_uchar4_sat(convert_int4(s.xyxy) + convert_int4(u)));
    o[7] = as_uint(select(x, y, x < y)) + as_uint(s.yx);
}

kernel void long_integers(global const uint *in, global uint *out)
{
    ITEM;
    ulong x = (ulong)a << 32 | b, y = (ulong)c << 32 | d;
    ulong sum = x + y, product = x * y, shifted = (x >> (d & 63)) ^ (y << (a & 63));
    long difference = (long)x - (long)y;
    o[0] = (uint)sum;
    o[1] = (uint)(sum >> 32);
    o[2] = (uint)product;
    o[3] = (uint)(product >> 32);
    o[4] = (uint)shifted;
    o[5] = (uint)(shifted >> 32);
    o[6] = (uint)(difference >> 7) + (x < y) + 2 * ((long)x < (long)y);
    o[7] = (uint)(x / (y | 1)) ^ (uint)((long)x % (long)(y | 1));
}

/* Finite values of medium size, so that nothing overflows or becomes denormal. */
#define VALUE(BITS) (convert_float((int)(BITS) >> 8) * 0x1p-12f)

kernel void floats(global const uint *in, global uint *out)
{
    ITEM;
    float x = VALUE(a), y = VALUE(b), z = VALUE(c);
    o[0] = as_uint(x + y);
    o[1] = as_uint(x * y);
    o[2] = as_uint(fma(x, y, z));
    o[3] = as_uint(floor(x)) ^ as_uint(ceil(y)) ^ as_uint(rint(z)) ^ as_uint(trunc(x));
    o[4] = as_uint(fmin(x, y)) + as_uint(fmax(y, z));
    o[5] = (uint)convert_int_rte(x) + convert_uint_sat(y) + (uint)convert_int_rtn(z) + (uint)convert_int_rtz(x);
    o[6] = as_uint(copysign(x, y)) ^ as_uint(fabs(z)) ^ (x < y) ^ (uint)(isgreaterequal(y, z) << 1);
    o[7] = as_uint(convert_float(a)) ^ as_uint(convert_float((int)b)) ^ as_uint(x - y);
}

kernel void halves(global const uint *in, global uint *out)
{
    ITEM;
    float x = VALUE(a) * 0x1p-6f, y = VALUE(b) * 0x1p-6f;
    o[0] = o[1] = 0;
    vstore_half(x, 0, (global half *)o);
    vstore_half_rtz(y, 1, (global half *)o);
    vstore_half_rte(y, 2, (global half *)o);
    o[2] = as_uint(vload_half(0, (global half *)o));
    o[3] = as_uint(vload_half(1, (global half *)o));
    for (int i = 4; i < 8; i++)
        o[i] = 0;
}

kernel void control_flow(global const uint *in, global uint *out)
{
    ITEM;
    uint steps = 0, n = (a & 0xff) + 1;
    while (n != 1 && steps < 200) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    o[0] = steps;
    uint sum = 0;
    for (uint i = 0; i < (b & 31); i++) {
        if ((c >> i & 1) == 0)
            continue;
        for (uint k = i; k < 32; k++) {
            if ((d >> k & 1) == 0)
                break;
            sum += k * i + 1;
        }
        if (sum > 1000)
            break;
    }
    o[1] = sum;
    switch (a & 7) {
    case 0: o[2] = b; break;
    case 1: o[2] = b + c; break;
    case 3: o[2] = b * c; break;
    case 6: o[2] = ~b; break;
    default: o[2] = d; break;
    }
    if (a > b) {
        if (c > d)
            o[3] = a - b;
        else
            o[3] = c + d;
    } else {
        do {
            a += 0x1234567;
        } while (a < b && (a & 3));
        o[3] = a;
    }
    o[4] = any((int4)((int)a, (int)b, (int)c, (int)d) < 0) + 2 * all((int2)((int)c, (int)d) < 0);
    o[5] = o[6] = o[7] = 0;
}

kernel void scattered(global const uint *in, global uint *out)
{
    ITEM;
    size_t count = get_global_size(0);
    global const uchar *bytes = (global const uchar *)in;
    global const ushort *words = (global const ushort *)in;
    o[0] = bytes[a % (16 * count)] + (bytes[b % (16 * count)] << 8);
    o[1] = words[c % (8 * count)];
    uint4 four = vload4(d % count, in);
    o[2] = four.x ^ four.y;
    o[3] = four.z + four.w;
    uint3 three = vload3(a % count, in);
    o[4] = three.x + three.y * 3 + three.z * 5;
    ((global uchar *)(o + 5))[0] = (uchar)a;
    ((global uchar *)(o + 5))[1] = (uchar)b;
    ((global ushort *)(o + 5))[1] = (ushort)c;
    vstore2((uint2)(b, d), 0, o + 6);
}

kernel void local_memory(global const uint *in, global uint *out)
{
    ITEM;
    local uint shared_words[64 * 4];
    local uchar shared_bytes[64];
    local uint counter, highest;
    uint me = (uint)get_local_id(0);
    if (me == 0)
        counter = highest = 0;
    shared_words[4 * me] = a;
    shared_words[4 * me + 1] = b;
    shared_words[4 * me + 2] = c;
    shared_words[4 * me + 3] = d;
    shared_bytes[me] = (uchar)d;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counter, a & 0xff);
    atomic_max(&highest, b);
    uint other = (me * 5 + 3) & 63;
    o[0] = shared_words[4 * other] + shared_words[4 * other + 3];
    o[1] = shared_bytes[other ^ 1];
    uint4 four = vload4(63 - me, shared_words);
    o[2] = four.x ^ four.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[3] = counter;
    o[4] = highest;
    o[5] = o[6] = o[7] = 0;
}

/* All items meet in the first words of the output, in any order. */
kernel void atomics(global const uint *in, global uint *out)
{
    ITEM;
    (void)o;
    atomic_add(&out[0], a);
    atomic_xor(&out[1], b);
    atomic_min((volatile global int *)&out[2], (int)c);
    atomic_max(&out[3], d);
    atomic_inc(&out[4]);
    atomic_or(&out[5], 1u << (a & 31));
    atomic_sub(&out[6], c);
    uint old, seen = out[7];
    do {
        old = seen;
        seen = atomic_cmpxchg(&out[7], old, old + (d & 0xf));
    } while (seen != old);
}

/* Arrays that the compiler keeps in registers and addresses indirectly, also where some items are elsewhere. */
kernel void private_arrays(global const uint *in, global uint *out)
{
    ITEM;
    uint words[16];
    ushort halves[8];
    for (uint i = 0; i < 16; i++)
        words[i] = a * i + b;
    for (uint i = 0; i < 8; i++)
        halves[i] = (ushort)(c >> i);
    for (uint i = 0; i < 8; i++)
        words[in[4 * id + (i & 3)] >> i & 15] += d + i;
    if (a & 1) {
        words[b & 15] ^= c;
        halves[d & 7] = (ushort)b;
        words[15 - (d >> 4 & 15)] -= halves[c & 7];
    }
    for (uint i = 0; i < 8; i++)
        o[i] = words[i] ^ words[a >> i & 15] ^ halves[b >> i & 7];
}
