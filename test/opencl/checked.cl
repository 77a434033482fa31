/* Kernels of features that PoCL has not: agree with the functions of the same names in checked.c. Each item has four
 * words in `in` and eight in `out`; sub-groups have SIMD items. */
#define KERNEL __attribute__((intel_reqd_sub_group_size(SIMD))) kernel
#define ITEM                                                                                                           \
    size_t id = get_global_id(0);                                                                                      \
    uint a = in[4 * id], b = in[4 * id + 1], c = in[4 * id + 2], d = in[4 * id + 3];                                   \
    global uint *o = out + 8 * id;                                                                                     \
    (void)a, (void)b, (void)c, (void)d, (void)o

KERNEL void shuffles(global const uint *in, global uint *out)
{
    ITEM;
    o[0] = intel_sub_group_shuffle(a, b % SIMD);
    o[1] = intel_sub_group_shuffle_xor(a, c % SIMD);
    o[2] = intel_sub_group_shuffle_down(a, b, 3u);
    o[3] = intel_sub_group_shuffle_up(a, b, 5u);
    o[4] = sub_group_broadcast(c, 6u);
    o[5] =
        (uint)intel_sub_group_shuffle((ushort)d, (a >> 3) % SIMD) + ((uint)intel_sub_group_shuffle((uchar)c, 2u) << 16);
    ulong wide = intel_sub_group_shuffle(upsample(a, b), d % SIMD);
    o[6] = (uint)wide ^ (uint)(wide >> 32) * 3;
    o[7] = get_sub_group_local_id() + 100 * get_sub_group_id() + 10000 * get_sub_group_size();
}

KERNEL void collectives(global const uint *in, global uint *out)
{
    ITEM;
    o[0] = sub_group_reduce_add(a);
    o[1] = (uint)sub_group_reduce_min((int)b) ^ sub_group_reduce_max(c);
    o[2] = sub_group_scan_inclusive_add(d);
    o[3] = sub_group_scan_exclusive_add(a);
    o[4] = (uint)sub_group_scan_inclusive_max((int)b);
    ulong wide = sub_group_reduce_add(upsample(a, b));
    o[5] = (uint)wide ^ (uint)(wide >> 32);
    o[6] = (uint)(sub_group_any((int)(a & 15) == 3) != 0) + 2 * (uint)(sub_group_all((int)(b != 0)) != 0);
    o[7] = sub_group_scan_exclusive_min(c);
    if (a & 1) /* only some items meet */
        o[7] +=
            (uint)sub_group_non_uniform_all((int)(b & 1)) + 2 * (uint)sub_group_elect() + 16 * sub_group_ballot(1).x;
}

#if SIMD < 32 /* the driver has no block moves for more */
/* Each sub-group moves its part of `in` in blocks: item i of a block of n rows gets word row * SIMD + i. */
KERNEL void block_moves(global const uint *in, global uint *out)
{
    size_t first = (get_global_id(0) - get_sub_group_local_id()) * 4;
    global uint *to = out + 2 * first;
    uint4 four = intel_sub_group_block_read4(in + first);
    uint2 two = intel_sub_group_block_read2(in + first + 2 * SIMD);
    uint one = intel_sub_group_block_read(in + first + SIMD);
    ushort4 words = intel_sub_group_block_read_us4((global const ushort *)(in + first));
    uchar2 bytes = intel_sub_group_block_read_uc2((global const uchar *)(in + first));
    ulong2 longs = intel_sub_group_block_read_ul2((global const ulong *)(in + first));
    intel_sub_group_block_write4(to, four + (uint4)(1, 2, 3, 4));
    intel_sub_group_block_write2(to + 4 * SIMD, two + one);
    intel_sub_group_block_write_us2((global ushort *)(to + 6 * SIMD), words.xy ^ words.zw);
    intel_sub_group_block_write_uc4((global uchar *)(to + 7 * SIMD),
                                    (uchar4)(bytes.x, bytes.y, (uchar)longs.x, (uchar)(longs.y >> 40)));
}

#endif

#if TGLLP
int __builtin_IB_dp4a_ss(int c, int a, int b) __attribute__((const));
int __builtin_IB_dp4a_uu(int c, int a, int b) __attribute__((const));
int __builtin_IB_dp4a_su(int c, int a, int b) __attribute__((const));
int __builtin_IB_dp4a_us(int c, int a, int b) __attribute__((const));

KERNEL void dot_products(global const uint *in, global uint *out)
{
    ITEM;
    o[0] = (uint)__builtin_IB_dp4a_ss((int)c, (int)a, (int)b);
    o[1] = (uint)__builtin_IB_dp4a_uu((int)c, (int)a, (int)b);
    o[2] = (uint)__builtin_IB_dp4a_su((int)d, (int)a, (int)b);
    o[3] = (uint)__builtin_IB_dp4a_us((int)d, (int)a, (int)b);
    o[4] = o[5] = o[6] = o[7] = 0;
}
#endif

/* One pointer to global, local and private memory in turn. */
uint sum_of(uint *from, uint step)
{
    uint sum = 0;
    for (uint i = 0; i < 4; i++)
        sum = sum * 3 + from[i * step];
    return sum;
}

KERNEL void generic_pointers(global uint *in, global uint *out)
{
    ITEM;
    local uint shared_words[4 * 64];
    uint own[4] = {d, c, b, a};
    uint me = (uint)get_local_id(0);
    vstore4((uint4)(a, b, c, d) ^ 5u, me, shared_words);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint *from = a % 3 == 0 ? (uint *)(in + 4 * id) : a % 3 == 1 ? (uint *)(shared_words + 4 * (63 - me)) : (uint *)own;
    o[0] = sum_of(from, 1);
    o[1] = sum_of(from + 1, 0);
    *from = b;
    o[2] = own[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[3] = shared_words[4 * me];
    o[4] = o[5] = o[6] = o[7] = 0;
}

/* Atomic operations of OpenCL C 2.0, with orders and scopes. */
KERNEL void ordered_atomics(global uint *in, global uint *out)
{
    ITEM;
    local atomic_uint counter;
    if (get_local_id(0) == 0)
        atomic_store_explicit(&counter, 7u, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&counter, a & 255u, memory_order_acq_rel, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[0] = atomic_load_explicit(&counter, memory_order_acquire, memory_scope_work_group);
    volatile global atomic_uint *mine = (volatile global atomic_uint *)(o + 1);
    atomic_init(mine, b);
    o[2] = atomic_exchange_explicit(mine, c, memory_order_acq_rel, memory_scope_device);
    uint expected = c;
    o[3] = atomic_compare_exchange_strong_explicit(mine, &expected, d, memory_order_acq_rel, memory_order_acquire,
                                                   memory_scope_device);
    o[4] = atomic_fetch_max_explicit(mine, a, memory_order_relaxed, memory_scope_device);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    o[5] = atomic_fetch_xor_explicit(mine, 0xff00ffu, memory_order_seq_cst, memory_scope_device);
    o[6] = expected;
    o[7] = 0;
}

/* Collectives of whole groups, of 64 items. */
KERNEL void group_collectives(global uint *in, global uint *out)
{
    ITEM;
    float small = (float)(int)(a & 0xfff) - 2048.0f; /* sums of these are exact */
    o[0] = work_group_reduce_add(a) ^ work_group_reduce_max(b);
    o[1] = (uint)work_group_reduce_min((int)c);
    o[2] = work_group_scan_inclusive_add(d);
    o[3] = work_group_scan_exclusive_max(a);
    o[4] = (uint)work_group_scan_inclusive_min((int)b);
    o[5] = work_group_broadcast(c, 37);
    o[6] = as_uint(work_group_scan_exclusive_add(small)) + as_uint(work_group_reduce_max(small));
    ulong sum = work_group_reduce_add((ulong)a << 32 | b);
    o[7] = (uint)(sum >> 32) ^ (uint)sum ^ (uint)(work_group_any((a & 63) == 5) != 0) ^
           (uint)(work_group_all(b != 0) != 0) << 1;
}

#if SIMD < 32
/* Blocks of an image of 4 * SIMD by 16 pixels of one 32-bit word: sub-group s moves rows 4 * s ... to rows that many
 * further to the right, beyond the edge too. */
KERNEL void media_blocks(read_only image2d_t from, write_only image2d_t to, global uint *out)
{
    int row = (int)get_sub_group_id() * 4;
    uint4 words = intel_sub_group_block_read4(from, (int2)(3 * 4, row));
    intel_sub_group_block_write4(to, (int2)(SIMD * 4, row), words);
    ushort4 halves = intel_sub_group_block_read_us4(from, (int2)(8, row));
    global uint *o = out + 8 * get_global_id(0);
    o[0] = words.x;
    o[1] = words.y;
    o[2] = words.z;
    o[3] = words.w;
    o[4] = halves.x + 65536u * halves.w;
    uint beyond = intel_sub_group_block_read(from, (int2)(-16, row - 3)); /* left of and above the image */
    o[5] = beyond;
    /* eight words wide, and four: items take the block's words row by row */
    o[6] = intel_sub_group_media_block_read_ui((int2)(4, row), 8, SIMD / 8, from);
    uint2 shaped = intel_sub_group_media_block_read_ui2((int2)(8, row), 4, SIMD / 2, from);
    o[7] = shaped.x ^ shaped.y * 3;
}

#endif

#ifdef LOCAL_BLOCKS
/* Blocks of local memory. */
#if SIMD < 32
KERNEL void local_blocks(global const uint *in, global uint *out)
{
    ITEM;
    local uint words[64 * 4];
    uint me = (uint)get_local_id(0), first = 4 * (me - get_sub_group_local_id());
    vstore4((uint4)(a, b, c, d), me, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 four = intel_sub_group_block_read4(words + first);
    barrier(CLK_LOCAL_MEM_FENCE);
    intel_sub_group_block_write2(words + first, four.wz + 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore4(four, 0, o);
    vstore4(vload4(me, words), 1, o);
}
#endif
#endif

/* A pixel that is written and read again, in one launch. */
kernel void rewritten(read_write image2d_t image, global int4 *out)
{
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    int4 before = read_imagei(image, at);
    write_imagei(image, at, before * 3);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    int4 again = read_imagei(image, at);
    out[(size_t)at.y * get_global_size(0) + (size_t)at.x] = again;
    write_imagei(image, at, again + 1);
}

/* Pixels as they are, of the three kinds of channels. */
constant sampler_t pixels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void format_real(read_only image2d_t image, global float4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[(size_t)y * get_global_size(0) + (size_t)x] = read_imagef(image, pixels, (int2)(x, y));
}

kernel void format_signed(read_only image2d_t image, global int4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[(size_t)y * get_global_size(0) + (size_t)x] = read_imagei(image, pixels, (int2)(x, y));
}

kernel void format_unsigned(read_only image2d_t image, global uint4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[(size_t)y * get_global_size(0) + (size_t)x] = read_imageui(image, pixels, (int2)(x, y));
}

/* Packed 4:2:2 and planar 4:2:0: pixel by pixel, and anywhere through a filter. */
#ifdef cl_intel_packed_yuv
kernel void yuv_pixels(read_only image2d_t image, global float4 *out)
{
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[(size_t)y * get_global_size(0) + (size_t)x] = read_imagef(image, nearest, (int2)(x, y));
}

kernel void yuv_filtered(read_only image2d_t image, global const float2 *places, global float4 *out)
{
    const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    size_t item = get_global_id(0);
    out[item] = read_imagef(image, linear, places[item]);
}
#endif

/* Images of depths: one number, read with and without a sampler, and written. */
#ifdef cl_khr_depth_images
kernel void depths(read_only image2d_depth_t image, write_only image2d_depth_t changed, global float *out)
{
    const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    const sampler_t mixed = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    global float *o = out + 4 * ((size_t)y * get_global_size(0) + (size_t)x);
    float here = read_imagef(image, (int2)(x, y));
    o[0] = here;
    o[1] = read_imagef(image, edge, (int2)(x - 1, y + 2));
    o[2] = read_imagef(image, mixed, (float2)((float)x + 1.0f, (float)y + 0.5f));
    o[3] = (float)get_image_width(image) + 100.0f * (float)get_image_height(image);
    write_imagef(changed, (int2)(x, y), 1.0f - here);
}
#endif

/* A surface with levels. */
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
KERNEL void levels(read_only image2d_t image, sampler_t sampler, global const float4 *places, global float4 *out)
{
    size_t id = get_global_id(0);
    float4 place = places[id];
    out[2 * id] = read_imagef(image, sampler, place.xy, place.z);
    out[2 * id + 1] = read_imagef(image, sampler, place.xy, (float2)(place.w, 0), (float2)(0, place.w * 0.5f));
}

kernel void print(global const uint *in)
{
    printf("[%u %d %5x %#o|%-6d|%+d]", in[0], (int)in[1], in[2], in[3] & 0xff, 42, (int)(in[0] & 255));
    printf("%s %c %.3f %e %g %v4d %v2hhu %ld %%\n", "text", 'a' + (int)(in[3] % 26), (float)(int)in[1] * 0.5f, 1234.5f,
           0.25f, (int4)(1, -2, 3, (int)in[2]), (uchar2)(7, 255), (long)in[0] << 20);
}
