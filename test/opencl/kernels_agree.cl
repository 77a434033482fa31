/* Kernels whose results the OpenCL specification fixes to the bit. Each takes `in` (4 words for each item) and writes
 * 8 words for each item; agree_kernels.c compares the simulated GPU with the host's CPU. What a kernel shares among the
 * items of a group goes by its first 64 items at most: groups have at least 7 items, and any number above. */
#pragma OPENCL FP_CONTRACT OFF

/* SIMD: sub-group size that the GPU must use. */
#if defined(cl_intel_required_subgroup_size) && defined(SIMD)
#define KERNEL __attribute__((intel_reqd_sub_group_size(SIMD))) kernel
#else
#define KERNEL kernel
#endif

#define ITEM                                                     \
    size_t id = get_global_id(0);                                \
    uint a = in[4 * id], b = in[4 * id + 1], c = in[4 * id + 2], d = in[4 * id + 3]; \
    global uint *o = out + 8 * id;                               \
    (void)a, (void)b, (void)c, (void)d

KERNEL void integers(global const uint *in, global uint *out)
{
    ITEM;
    o[0] = a * b + c;
    o[1] = mul_hi(a, b);
    o[2] = (uint)mul_hi((int)a, (int)b);
    o[3] = a / (b | 1);
    o[4] = (uint)((int)a / 2 % (int)(b | 1)); /* the smallest number by -1 is undefined */
    o[5] = rotate(a, b) ^ (a << (c & 31)) ^ (uint)((int)b >> (d & 31));
    o[6] = popcount(a) + (clz(b) << 8) + (uint)(max((int)a, (int)c) & 0xff) * 65536;
    o[7] = mad24((int)(a & 0xfffff), (int)(b & 7), (int)c) + abs_diff((int)c, (int)d) + hadd(a, b) + rhadd(c, d);
}

KERNEL void small_integers(global const uint *in, global uint *out)
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

KERNEL void long_integers(global const uint *in, global uint *out)
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
    o[7] = (uint)(x / (y | 1)) ^ (uint)((long)x / 2 % (long)(y | 1));
}

/* Finite values of medium size, so that nothing overflows or becomes denormal. */
#define VALUE(BITS) (convert_float((int)(BITS) >> 8) * 0x1p-12f)

KERNEL void floats(global const uint *in, global uint *out)
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

KERNEL void halves(global const uint *in, global uint *out)
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

KERNEL void control_flow(global const uint *in, global uint *out)
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

KERNEL void scattered(global const uint *in, global uint *out)
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

#define MOST 256 /* items in a group */

KERNEL void local_memory(global const uint *in, global uint *out)
{
    ITEM;
    local uint shared_words[MOST * 4];
    local uchar shared_bytes[MOST];
    local ushort shared_halves[MOST];
    local ulong shared_longs[MOST];
    local uint counter, highest;
    uint me = (uint)get_local_id(0), size = (uint)get_local_size(0);
    if (me == 0)
        counter = highest = 0;
    shared_words[4 * me] = a;
    shared_words[4 * me + 1] = b;
    shared_words[4 * me + 2] = c;
    shared_words[4 * me + 3] = d;
    shared_bytes[me] = (uchar)d;
    shared_halves[me] = (ushort)c;
    shared_longs[me] = upsample(a, b);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counter, a & 0xff);
    atomic_max(&highest, b);
    uint other = (me * 5 + 3) % size;
    o[0] = shared_words[4 * other] + shared_words[4 * other + 3];
    o[1] = shared_bytes[(other + 1) % size] + 256 * shared_halves[size - 1 - me];
    uint4 four = vload4(size - 1 - me, shared_words);
    o[2] = four.x ^ four.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[3] = counter;
    o[4] = highest;
    o[5] = (uint)(shared_longs[other] >> 16);
    uint3 three = vload3(me, shared_words);
    o[6] = three.x + three.y * three.z;
    o[7] = 0;
}

/* A sum over the group in halving steps, and what lies left of each item: barriers in loops. */
KERNEL void local_reduction(global const uint *in, global uint *out)
{
    ITEM;
    local uint sums[MOST], scan[MOST];
    uint me = (uint)get_local_id(0), size = (uint)get_local_size(0);
    sums[me] = a;
    scan[me] = b;
    for (uint count = size; count > 1; count = (count + 1) / 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint half_way = (count + 1) / 2;
        if (me < count / 2)
            sums[me] += sums[me + half_way];
    }
    for (uint step = 1; step < size; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint left = me >= step ? scan[me - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        scan[me] += left;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[0] = sums[0];
    o[1] = scan[me];
    o[2] = scan[size - 1] ^ c ^ d;
    o[3] = (uint)get_group_id(0) * 1000 + (uint)get_num_groups(0);
    o[4] = me * 1000 + size;
    o[5] = (uint)get_global_id(0) + (uint)get_global_offset(0);
    o[6] = (uint)get_global_size(0) + get_work_dim();
    o[7] = (uint)(get_global_size(1) + get_local_id(2) + get_local_size(1));
}

/* Every atomic operation on local memory, each on words of its own; what each item gets back is summed up where the
 * order of the items does not matter. */
KERNEL void local_atomics(global const uint *in, global uint *out)
{
    ITEM;
    local uint w[16];
    uint me = (uint)get_local_id(0);
    for (uint i = me; i < 16; i += (uint)get_local_size(0))
        w[i] = i < 12 ? 0x1234u * i : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&w[0], a);
    atomic_sub(&w[1], b);
    atomic_inc(&w[2]);
    atomic_dec(&w[3]);
    atomic_min((local int *)&w[4], (int)a);
    atomic_max((local int *)&w[5], (int)b);
    atomic_min(&w[6], c);
    atomic_max(&w[7], d);
    atomic_and(&w[8], a | 0x10);
    atomic_or(&w[9], b & 0xf0f0f0f);
    atomic_xor(&w[10], c);
    uint ticket = atomic_inc(&w[11]) - 0x1234u * 11; /* each item another one */
    atomic_add(&w[12], ticket * ticket);
    atomic_xchg((local float *)&w[13], 1.5f);
    uint seen = 0, old;
    do {
        old = seen;
        seen = atomic_cmpxchg(&w[14], old, old ^ d);
    } while (seen != old);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 8; i++)
        o[i] = w[i] ^ w[i + 8];
}

/* Sums and maxima of floats by compare and exchange, as programs write them: of whole numbers, so exact in any order.
 */
KERNEL void float_sums(global const uint *in, global uint *out)
{
    ITEM;
    local uint sum, most;
    if (get_local_id(0) == 0) {
        sum = as_uint(0.5f);
        most = as_uint(-1.0f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float mine = (float)(a & 0xfff);
    uint seen = sum, old;
    do {
        old = seen;
        seen = atomic_cmpxchg(&sum, old, as_uint(as_float(old) + mine));
    } while (seen != old);
    seen = most;
    do {
        old = seen;
        seen = atomic_cmpxchg(&most, old, as_uint(fmax(as_float(old), mine)));
    } while (seen != old);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[0] = sum;
    o[1] = most;
    volatile global float *f = (volatile global float *)(o + 2);
    f[0] = mine;
    o[3] = as_uint(atomic_xchg(f, 1.25f));
    o[4] = o[5] = o[6] = o[7] = 0;
}

/* All items meet in the first words of the output, in any order. */
KERNEL void atomics(global const uint *in, global uint *out)
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
KERNEL void private_arrays(global const uint *in, global uint *out)
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

/* The other atomic operations on global memory, and what comes back: on words that no other item touches. */
KERNEL void atomic_results(global const uint *in, global uint *out)
{
    ITEM;
    global int *s = (global int *)o;
    for (uint i = 0; i < 8; i++)
        o[i] = a ^ i * b;
    uint r = atomic_add(&o[0], c);
    r = r * 31 + atomic_sub(&o[1], d);
    r = r * 31 + atomic_inc(&o[2]);
    r = r * 31 + atomic_dec(&o[3]);
    r = r * 31 + (uint)atomic_min(&s[4], (int)c);
    r = r * 31 + (uint)atomic_max(&s[5], (int)d);
    r = r * 31 + atomic_min(&o[6], c);
    r = r * 31 + atomic_max(&o[0], d);
    r = r * 31 + atomic_and(&o[1], c);
    r = r * 31 + atomic_or(&o[2], d);
    r = r * 31 + atomic_xor(&o[3], c);
    r = r * 31 + atomic_xchg(&o[4], d);
    r = r * 31 + as_uint(atomic_xchg((global float *)&o[5], 2.5f));
    r = r * 31 + atomic_cmpxchg(&o[6], o[6], c);
    r = r * 31 + atomic_cmpxchg(&o[0], ~o[0], c);
    if (a & 1) /* with some channels off */
        r = r * 31 + atomic_add(&o[1], a);
    o[7] = r;
}

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
KERNEL void long_atomics(global const uint *in, global uint *out)
{
    ITEM;
    global ulong *w = (global ulong *)o;
    global long *s = (global long *)o;
    ulong x = upsample(a, b), y = upsample(c, d);
    w[0] = x;
    w[1] = y;
    w[2] = x ^ y;
    ulong r = atom_add(&w[0], y);
    r = r * 31 + atom_sub(&w[1], x);
    r = r * 31 + atom_inc(&w[2]);
    r = r * 31 + atom_dec(&w[0]);
    r = r * 31 + (ulong)atom_min(&s[1], (long)x);
    r = r * 31 + (ulong)atom_max(&s[2], (long)y);
    r = r * 31 + atom_min(&w[0], x);
    r = r * 31 + atom_max(&w[1], y);
    r = r * 31 + atom_and(&w[2], x | 255);
    r = r * 31 + atom_or(&w[0], y & 0xff00ff);
    r = r * 31 + atom_xor(&w[1], x);
    r = r * 31 + atom_xchg(&w[2], y + 1);
    r = r * 31 + atom_cmpxchg(&w[0], w[0], x);
    r = r * 31 + atom_cmpxchg(&w[1], ~w[1], x);
    w[3] = r;
}
#endif

/* Loads and stores of vectors, at addresses that only their elements' size aligns. */
KERNEL void vector_memory(global const uint *in, global uint *out)
{
    ITEM;
    size_t last = get_global_size(0) * 4 - 16;
    global const uchar *bytes = (global const uchar *)(in + a % last);
    global const ushort *words = (global const ushort *)(in + b % last);
    global const ulong *longs = (global const ulong *)(in + 2 * (c % (last / 2)));
    uchar16 b16 = vload16(0, bytes + d % 16);
    uchar3 b3 = vload3(1, bytes + (d >> 4) % 16);
    ushort8 w8 = vload8(0, words + (d >> 8) % 8);
    ushort2 w2 = vload2(3, words + (d >> 12) % 8);
    ulong4 l4 = vload4(0, longs);
    uint16 i16 = vload16(0, in + (a ^ b) % last);
    o[0] = as_uint(b16.s048c) + as_uint(b16.s37bf) * 3;
    o[1] = b3.x + b3.y * 256u + b3.z * 65536u;
    o[2] = as_uint(w8.s07) ^ as_uint(w8.s25);
    o[3] = as_uint(w2);
    o[4] = (uint)(l4.x >> 8) ^ (uint)l4.y ^ (uint)(l4.z + l4.w);
    o[5] = i16.s0 ^ i16.s7 * 3 ^ i16.sf * 5;
    vstore3((uchar3)((uchar)a, (uchar)b, (uchar)c), 0, (global uchar *)(o + 6) + (d & 1));
    ((global uchar *)(o + 6))[d & 1 ? 0 : 3] = (uchar)d;
    vstore2((ushort2)((ushort)b, (ushort)d), 0, (global ushort *)(o + 7));
}

/* Halves in memory. Values below the largest half and without NaN, whose bits may differ. */
KERNEL void half_memory(global const uint *in, global uint *out)
{
    ITEM;
    float4 x = convert_float4((int4)((int)a, (int)b, (int)c, (int)d) >> 8) * 0x1p-9f;
    global half *h = (global half *)o;
    vstore_half4(x, 0, h);
    vstore_half2_rtz(x.xy, 2, h);
    vstore_half3_rtp(x.yzw, 2, h);
    vstore_half_rtn(x.w, 9, h);
    o[5] = as_uint(vload_half(1, h));
    float4 back = vload_half4(0, h);
    o[6] = as_uint(back.x) ^ as_uint(back.y) << 1 ^ as_uint(back.z) << 2 ^ as_uint(back.w) << 3;
    float3 three = vload_half3(2, h);
    o[7] = as_uint(three.x) + as_uint(three.y) * 3 + as_uint(three.z) * 5;
}

/* Private memory beyond what registers hold, through the scratch space. */
KERNEL void large_private_arrays(global const uint *in, global uint *out)
{
    ITEM;
    uint words[200];
    uchar bytes[64];
    ulong longs[24];
    for (uint i = 0; i < 200; i++)
        words[i] = a * i + b;
    for (uint i = 0; i < 64; i++)
        bytes[i] = (uchar)(c >> (i & 15));
    for (uint i = 0; i < 24; i++)
        longs[i] = upsample(d, a) * (i + 1);
    for (uint i = 0; i < 40; i++) {
        uint at = (a ^ i * c) % 200;
        words[at] += words[(b + i * d) % 200] ^ bytes[i + (d & 15)];
        bytes[at & 63] ^= (uchar)words[i];
        if (at & 1)
            longs[i % 24] ^= longs[at % 24] + words[at];
    }
    uint4 four = vload4(a % 49, words);
    o[0] = four.x ^ four.y ^ four.z ^ four.w;
    o[1] = words[b % 200];
    o[2] = words[c % 200];
    o[3] = bytes[d % 64] + (bytes[a % 64] << 8);
    o[4] = (uint)longs[b % 24];
    o[5] = (uint)(longs[c % 24] >> 32);
    uint sum = 0;
    for (uint i = 0; i < 200; i++)
        sum = sum * 31 + words[i];
    o[6] = sum;
    o[7] = 0;
}

constant uint table[64] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                           2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
constant char text[] = "The quick brown fox jumps over the lazy dog";
constant float factors[3] = {0.5f, 2.0f, -4.0f};

KERNEL void constant_memory(global const uint *in, global uint *out)
{
    ITEM;
    constant uint *tables[2] = {table, table + 16};
    o[0] = table[a & 63] + table[3];
    o[1] = (uint)text[b % sizeof text];
    o[2] = as_uint(factors[c % 3] * 3.0f);
    o[3] = tables[d & 1][a & 31];
    uint4 four = vload4(a & 15, table);
    o[4] = four.x + 10 * four.y + 100 * four.z + 1000 * four.w;
    o[5] = o[6] = o[7] = 0;
}

struct record {
    uchar tag;
    ushort size;
    uint words[3];
    ulong sum;
};

/* Structures, unions of views, pointers chosen at run time. */
KERNEL void structures(global const uint *in, global uint *out)
{
    ITEM;
    struct record records[2] = {{(uchar)a, (ushort)b, {a, b, c}, d}, {(uchar)c, (ushort)d, {d, c, b}, a}};
    struct record *chosen = a & 1 ? &records[0] : &records[1];
    chosen->words[b % 3] += d;
    chosen->sum = chosen->sum * chosen->words[c % 3] + chosen->tag;
    global const uint *from = b & 1 ? in : in + 4;
    o[0] = records[0].words[0] ^ records[1].words[1];
    o[1] = (uint)records[0].sum ^ (uint)(records[1].sum >> 32);
    o[2] = chosen->size + from[c % 64];
    union {
        uint word;
        uchar bytes[4];
        ushort halves[2];
    } view = {.word = a};
    view.bytes[b & 3] = (uchar)c;
    o[3] = view.word;
    view.halves[c & 1] ^= (ushort)d;
    o[4] = view.word;
    o[5] = sizeof(struct record);
    o[6] = o[7] = 0;
}

uint collatz(uint n)
{
    uint steps = 0;
    while (n > 1 && steps < 300) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        steps++;
    }
    return steps;
}

__attribute__((noinline)) uint mix_words(uint a, uint b)
{
    for (uint i = 0; i < (a & 7); i++)
        b = rotate(b, 5u) + a;
    return b;
}

/* Items leave loops and functions at different times; some skip both. */
KERNEL void divergence(global const uint *in, global uint *out)
{
    ITEM;
    uint result = 0;
    for (uint i = 0; i < (a & 15); i++) {
        switch ((b >> i) & 3) {
        case 0: continue;
        case 1: result += collatz(c >> (16 + (i & 7))); break;
        case 2:
            if (d & 1 << i)
                goto done;
            result ^= mix_words(result + i, d);
            break;
        default:
            for (uint k = 0; k < 5; k++)
                for (uint m = k; m < 9; m++) {
                    if (((c >> m) & 1) == 0)
                        break;
                    result += k * m + 1;
                }
        }
    }
done:
    o[0] = result;
    o[1] = a < b ? mix_words(a, b) : c < d ? collatz(c & 0xffff) : mix_words(d, c);
    uint count = 0;
    do {
        if (count == (a & 63))
            break;
        if (count++ > (b & 63))
            continue;
        count += c & 1;
    } while (count < 100);
    o[2] = count;
    if ((id & 3) == 2) {
        o[3] = o[4] = o[5] = o[6] = o[7] = 1;
        return;
    }
    o[3] = (a && b > 5) || (c && d > 7) ? 3 : 4;
    o[4] = b > c ? b > d ? b : d : c > d ? c : d;
    o[5] =
        (uint)any((int3)((int)a, (int)b, (int)c) > (int3)(5)) + 2 * (uint)all((char2)((char)a, (char)b) < (char2)(9));
    o[6] = o[7] = 0;
}

KERNEL void group_copies(global const uint *in, global uint *out)
{
    ITEM;
    local uint words[MOST * 4];
    uint size = (uint)get_local_size(0), me = (uint)get_local_id(0);
    event_t event = async_work_group_copy(words, in + 4 * size * get_group_id(0), 4 * size, 0);
    wait_group_events(1, &event);
    for (uint i = 0; i < 7; i++)
        o[i] = words[(4 * me + i * 3) % (4 * size)];
    barrier(CLK_LOCAL_MEM_FENCE);
    words[me] = a ^ b;
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_strided_copy(out + 8 * size * get_group_id(0) + 7, words, size, 8, 0);
    wait_group_events(1, &event);
}
