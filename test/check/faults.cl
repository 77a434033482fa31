// Kernels with one fault each, which gensim --check must find at the line that says so, and kernels without a fault.
//
// RUN KERNEL ARGUMENT...: how cmrun launches a kernel. FINDS CHECK: the line's finding.

// RUN clean -g 4 -l 64 buf:1024
kernel void clean(global uint *out)
{
    out[get_global_id(0)] = get_global_id(0);
}

// RUN modulo -g 4 -l 64 buf:1024
kernel void modulo(global uint *out)
{
    out[get_global_id(0) & 15] = get_global_id(0); // FINDS race
}

// RUN slm_clean -g 4 -l 64 buf:1024
kernel void slm_clean(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - l];
}

// RUN slm_no_barrier -g 4 -l 64 buf:1024
kernel void slm_no_barrier(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l;                          // FINDS race
    out[get_global_id(0)] = t[63 - l]; // FINDS race, ALSO init
}

// RUN slm_second_round -g 1 -l 64 buf:1024
kernel void slm_second_round(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0), sum = 0;
    for (int i = 0; i < 2; i++) {
        t[l] = l + i; // FINDS race
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[63 - l]; // FINDS race
    }
    out[get_global_id(0)] = sum;
}

// RUN past_the_end -g 4 -l 64 buf:1024
kernel void past_the_end(global uint *out)
{
    out[get_global_id(0) + 1] = 7; // FINDS memory
}

// RUN counter -g 4 -l 64 buf:1024
kernel void counter(global uint *out)
{
    atomic_inc(out);
}

// RUN counter_read -g 4 -l 64 buf:1024
kernel void counter_read(global uint *out)
{
    atomic_inc(out); // FINDS race
    if (get_group_id(0) == 1 && get_local_id(0) == 0)
        out[1] = out[0]; // FINDS race
}

// RUN neighbours -g 4 -l 64 buf:1024
kernel void neighbours(global uint *data)
{
    uint i = get_global_id(0), next = data[(i + 64) & 255]; // FINDS race
    data[i] = next + 1; // FINDS race
}

// Private memory that some lanes have not written.
// RUN private_unwritten -g 2 -l 32 buf:256 i32:3
kernel void private_unwritten(global int *out, int n)
{
    int t[64], i = get_global_id(0);
    if (n > 5)
        for (int k = 0; k < 64; k++)
            t[k] = k;
    t[i & 3] = 1;
    out[i] = t[(i + n) & 63] + 1; // FINDS init
}

// RUN private_padding -g 2 -l 32 buf:512 i32:3
// A structure is copied with the bytes between its members.
struct padded {
    char c;
    int x;
};

kernel void private_padding(global struct padded *out, int n)
{
    struct padded t[16];
    int i = get_global_id(0);
    for (int k = 0; k < 16; k++) {
        t[k].c = k + n;
        t[k].x = i;
    }
    out[i] = t[(i + n) & 15];
}

// RUN private_arrays -g 64 -l 64 buf:16k
kernel void private_arrays(global uint *out)
{
    uint t[40], i = get_global_id(0);
    for (uint k = 0; k < 40; k++)
        t[(k * 7 + i) % 40] = k + out[i];
    out[i] = t[i % 40] + t[(i + 3) % 40];
}

// RUN bytes_side_by_side -g 4 -l 64 buf:256
kernel void bytes_side_by_side(global uchar *out)
{
    out[get_global_id(0)] = (uchar)get_global_id(0);
}

// RUN bytes_shared -g 4 -l 64 buf:256
kernel void bytes_shared(global uchar *out)
{
    out[get_global_id(0) / 64] = (uchar)get_global_id(0); // FINDS race
}

// RUN barrier_in_branch -g 1 -l 64 buf:1024
kernel void barrier_in_branch(global uint *out)
{
    if (get_local_id(0) & 1)
        barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier
    out[get_global_id(0)] = 1;
}

// RUN slm_past_the_end -g 1 -l 64 buf:256
kernel void slm_past_the_end(global uint *out)
{
    local uint t[256];
    uint l = get_local_id(0);
    t[l + 200] = l; // FINDS memory
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l]; // ALSO init
}

// The hardware gives a group 1024 bytes.
// RUN slm_past_a_small_array -g 1 -l 64 buf:256
kernel void slm_past_a_small_array(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 60)
        t[l + 5] = 1; // FINDS memory
    out[l] = t[63 - l];
}

// Arguments add to it.
// RUN slm_of_arguments -g 1 -l 64 buf:256 slm:256
kernel void slm_of_arguments(global uint *out, local uint *t)
{
    local uint u[8];
    uint l = get_local_id(0);
    t[l] = l;
    if (l < 8)
        u[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[63 - l] + u[l & 7];
}

// RUN slm_past_an_argument -g 1 -l 64 buf:256 slm:64 slm:256
kernel void slm_past_an_argument(global uint *out, local uint *first, local uint *t)
{
    local uint u[8];
    uint l = get_local_id(0);
    t[l] = l;
    if (l < 16)
        first[l] = 3;
    if (l < 8)
        u[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 60)
        t[l + 5] = 1; // FINDS memory
    out[l] = t[63 - l] + u[l & 7] + first[3];
}

// RUN tree -g 2 -l 64 buf:8
kernel void tree(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l;
    for (uint step = 32; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            t[l] += t[l + step];
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

// RUN tree_without_barrier -g 2 -l 64 buf:8
kernel void tree_without_barrier(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l; // FINDS race
    for (uint step = 32; step > 0; step /= 2)
        if (l < step)
            t[l] += t[l + step]; // FINDS race, ALSO init
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = t[0]; // ALSO init
}

// RUN local_histogram -g 1 -l 64 buf:64
kernel void local_histogram(global uint *out)
{
    local uint t[16];
    uint l = get_local_id(0);
    if (l < 16)
        t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&t[l % 16]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        out[l] = t[l];
}

// RUN local_histogram_plain -g 1 -l 64 buf:64
kernel void local_histogram_plain(global uint *out)
{
    local uint t[16];
    uint l = get_local_id(0);
    if (l < 16)
        t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l % 16] += 1; // FINDS race
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        out[l] = t[l];
}

// RUN histogram_plain -g 4 -l 64 buf:1024:iota-u32 buf:64
kernel void histogram_plain(global const uint *in, global uint *counts)
{
    counts[in[get_global_id(0)] % 16] += 1; // FINDS race
}

// RUN read_past_the_end -g 4 -l 64 buf:1024 buf:1024
kernel void read_past_the_end(global const uint *in, global uint *out)
{
    out[get_global_id(0)] = in[get_global_id(0) + 1]; // FINDS memory
}

// RUN vector_past_the_end -g 1 -l 64 buf:1000 buf:1024
kernel void vector_past_the_end(global const uint *in, global uint4 *out)
{
    out[get_global_id(0)] = vload4(get_global_id(0), in); // FINDS memory
}

// RUN shift -g 4 -l 64 buf:1028
kernel void shift(global uint *data)
{
    uint v = data[get_global_id(0) + 1]; // FINDS race
    data[get_global_id(0)] = v; // FINDS race
}

// RUN tile -g 1 -l 64 buf:256:iota-u32 buf:256
kernel void tile(global const uint *in, global uint *out)
{
    local uint t[8][8];
    uint x = get_local_id(0) % 8, y = get_local_id(0) / 8;
    t[y][x] = in[8 * y + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[8 * y + x] = t[x][y];
}

// RUN tile_without_barrier -g 1 -l 64 buf:256:iota-u32 buf:256
kernel void tile_without_barrier(global const uint *in, global uint *out)
{
    local uint t[8][8];
    uint x = get_local_id(0) % 8, y = get_local_id(0) / 8;
    t[y][x] = in[8 * y + x]; // FINDS race
    out[8 * y + x] = t[x][y]; // FINDS race, ALSO init
}

// RUN wrong_width -g 4 -l 64 buf:1024
kernel void wrong_width(global uint *out)
{
    uint x = get_global_id(0) % 16, y = get_global_id(0) / 16;
    out[y * 12 + x] = x; // FINDS race
}

// RUN atomic_and_plain_local -g 1 -l 64 buf:256
kernel void atomic_and_plain_local(global uint *out)
{
    local uint n;
    if (get_local_id(0) == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n); // FINDS race
    out[get_local_id(0)] = n; // FINDS race
}

// RUN early_return -g 1 -l 64 buf:256
kernel void early_return(global uint *out)
{
    if (get_local_id(0) % 3 == 1)
        return;
    barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier
    out[get_local_id(0)] = 1;
}

// RUN words_side_by_side -g 4 -l 64 buf:512
kernel void words_side_by_side(global ushort *out)
{
    out[get_global_id(0)] = (ushort)get_global_id(0);
}

// RUN words_overlap -g 4 -l 64 buf:512
kernel void words_overlap(global ushort *out)
{
    out[get_global_id(0) ^ (get_group_id(0) ? 0 : 64)] = (ushort)get_global_id(0); // FINDS race
}

// RUN double_words -g 4 -l 64 buf:2048
kernel void double_words(global ulong *out)
{
    out[get_global_id(0) / 2] = get_global_id(0); // CLEAN: both lanes are one thread's
}

// RUN last_group -g 4 -l 64 buf:1000
kernel void last_group(global uint *out)
{
    out[get_global_id(0)] = 1; // FINDS memory
}

// RUN guarded -g 4 -l 64 buf:1000
kernel void guarded(global uint *out)
{
    if (get_global_id(0) < 250)
        out[get_global_id(0)] = 1;
}

// RUN global_index_in_slm -g 5 -l 64 buf:1280
kernel void global_index_in_slm(global uint *out)
{
    local uint t[64];
    t[get_global_id(0)] = 1; // FINDS memory
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[get_local_id(0)]; // ALSO init
}

// RUN local_index_in_global -g 4 -l 64 buf:1024
kernel void local_index_in_global(global uint *out)
{
    out[get_local_id(0)] = get_group_id(0); // FINDS race
}

// RUN scan -g 1 -l 64 buf:256
kernel void scan(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = 1;
    for (uint step = 1; step < 64; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint other = l >= step ? t[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += other;
    }
    out[l] = t[l];
}

// RUN scan_in_place -g 1 -l 64 buf:256
kernel void scan_in_place(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = 1;
    for (uint step = 1; step < 64; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= step)
            t[l] += t[l - step]; // FINDS race
    }
    out[l] = t[l];
}

// RUN one_too_many -g 1 -l 8 buf:256:iota-u32 buf:32
kernel void one_too_many(global const uint *in, global uint *out)
{
    uint sum = 0;
    for (uint i = 0; i <= 64; i++)
        sum += in[i]; // FINDS memory
    out[get_global_id(0)] = sum;
}

// RUN transpose_in_place -g 4 -l 64 buf:1024
kernel void transpose_in_place(global uint *data)
{
    uint x = get_global_id(0) % 16, y = get_global_id(0) / 16;
    uint v = data[16 * x + y]; // FINDS race
    data[16 * y + x] = v;      // FINDS race
}

// RUN overlapping_pairs -g 4 -l 64 buf:1028
kernel void overlapping_pairs(global uint *out)
{
    uint i = get_global_id(0);
    vstore2((uint2)(i, i), 0, out + i); // FINDS race
}

// RUN pairs -g 4 -l 64 buf:2048
kernel void pairs(global uint *out)
{
    uint i = get_global_id(0);
    vstore2((uint2)(i, i), i, out);
}

// RUN index_from_memory -g 1 -l 64 buf:256:iota-u32 buf:256
kernel void index_from_memory(global const uint *in, global uint *out)
{
    out[in[get_global_id(0)] * 2] = 1; // FINDS memory
}

// RUN barrier_in_loop -g 1 -l 64 buf:256
kernel void barrier_in_loop(global uint *out)
{
    for (uint i = 0; i < get_local_id(0) % 4; i++)
        barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier
    out[get_local_id(0)] = 1;
}

// RUN flag -g 2 -l 64 buf:512
kernel void flag(global uint *data)
{
    if (get_group_id(0) == 0)
        data[get_local_id(0)] = 1; // FINDS race
    else
        data[64 + get_local_id(0)] = data[get_local_id(0)]; // FINDS race
}

// RUN sum_of_unwritten_memory -g 1 -l 32 buf:128 buf:128:none@device
kernel void sum_of_unwritten_memory(global uint *out, global const uint *in)
{
    uint v = in[get_global_id(0)];   // FINDS init
    out[get_global_id(0)] = v * 3u;  // FINDS init
}

// RUN copy_of_unwritten_memory -g 1 -l 32 buf:128 buf:128:none@device
kernel void copy_of_unwritten_memory(global uint *out, global const uint *in)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}

// RUN branch_on_unwritten_memory -g 1 -l 32 buf:128 buf:128:none@device
kernel void branch_on_unwritten_memory(global uint *out, global const uint *in)
{
    uint v = in[get_global_id(0)]; // FINDS init
    if (v > 100)                   // FINDS init
        atomic_inc(out);
}

// RUN index_of_unwritten_memory -g 1 -l 32 buf:1024 buf:128:none@device
kernel void index_of_unwritten_memory(global uint *out, global const uint *in)
{
    uint at = in[get_global_id(0)] & 127; // FINDS init
    atomic_inc(out + at);                 // FINDS init
}

// RUN slm_half_written -g 1 -l 64 buf:256
kernel void slm_half_written(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    if (l < 32)
        t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint v = t[63 - l];            // FINDS init
    out[get_global_id(0)] = v + 1; // FINDS init
}

// RUN slm_written_bytes -g 1 -l 64 buf:256
kernel void slm_written_bytes(global uint *out)
{
    local uchar t[64];
    uint l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - l] + 1;
}

// RUN counter_without_value -g 4 -l 32 buf:64:none@device
kernel void counter_without_value(global uint *out)
{
    atomic_add(out + 3, 2u); // FINDS init
}

// RUN float_without_value -g 1 -l 32 buf:128 buf:128:none@device
kernel void float_without_value(global float *out, global const float *in)
{
    float v = in[get_global_id(0)];               // FINDS init
    out[get_global_id(0)] = sqrt(fabs(v)) + 1.0f; // FINDS init
}

// RUN low_halves_used -g 1 -l 32 buf:128 buf:128:none@device buf:64
kernel void low_halves_used(global uint *out, global ushort *part, global const ushort *in)
{
    uint i = get_global_id(0);
    part[2 * i] = in[i];
    out[i] = ((global uint *)part)[i] & 0xffff;
}

// RUN past_the_border -g 1 -l 32 img:32x2:rgba8
kernel void past_the_border(write_only image2d_t out)
{
    int x = get_global_id(0);
    write_imagef(out, (int2)(x, 0), (float4)(1));
    write_imagef(out, (int2)(x == 5 ? 40 : x, 1), (float4)(1)); // FINDS memory, LANE 5
}

// RUN below_the_border -g 1 -l 32 img:32x2:r32f
kernel void below_the_border(write_only image2d_t out)
{
    int x = get_global_id(0);
    write_imagef(out, (int2)(x, x / 8), (float4)(1)); // FINDS memory, LANE 16
}

// RUN inside_the_border -g 1 -l 32 img:32x2:rgba8 buf:512
kernel void inside_the_border(read_only image2d_t in, global float4 *out)
{
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = get_global_id(0);
    out[x] = read_imagef(in, nearest, (int2)(x + 16, 1));
}

// RUN one_item_too_far -g 2 -l 32 buf:252
kernel void one_item_too_far(global uint *out)
{
    out[get_global_id(0)] = 1; // FINDS memory
}

// Gen9 keeps the order of accesses to local memory; later GPUs need its fence.
// RUN slm_global_fence -g 4 -l 64 buf:1024
kernel void slm_global_fence(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l; // FINDS barrier NOT-ON skl
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - l]; // FINDS barrier NOT-ON skl
}

// RUN slm_counter_global_fence -g 1 -l 64 buf:4
kernel void slm_counter_global_fence(global uint *out)
{
    local uint n;
    if (get_local_id(0) == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n); // FINDS barrier NOT-ON skl
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[0] = n; // FINDS barrier NOT-ON skl
}

// The kernels from here on restate idioms of Oclgrind's own tests.
// RUN counters_past_the_end -g 1 -l 64 buf:252
kernel void counters_past_the_end(global int *counters)
{
    atomic_inc(counters + get_global_id(0)); // FINDS memory
}

// RUN hidden_between_groups -g 2 -l 16 buf:8 buf:4
kernel void hidden_between_groups(global int *out, global int *data)
{
    uint group = get_group_id(0);
    out[group] = data[0]; // FINDS race
    if (group == 1)
        data[0] = 7; // FINDS race
}

// RUN all_write_zero -g 4 -l 16 buf:4
kernel void all_write_zero(global int *data)
{
    *data = 0; // FINDS race
}

// RUN start_beside_counts -g 1 -l 128 buf:4
kernel void start_beside_counts(global int *data)
{
    if (get_local_id(0) == 0)
        *data = 9;    // FINDS race
    atomic_dec(data); // FINDS race
}

// RUN start_of_one_group -g 4 -l 32 buf:4
kernel void start_of_one_group(global int *data)
{
    if (get_global_id(0) == 0)
        *data = 9; // FINDS race
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(data); // FINDS race
}

// RUN exchange_beside_write -g 2 -l 32 buf:4
kernel void exchange_beside_write(global int *data)
{
    if (get_group_id(0) == 0)
        *data = 5; // FINDS race
    else
        atomic_cmpxchg(data, 5, 77); // FINDS race
}

// RUN own_exchanges -g 2 -l 32 buf:256
kernel void own_exchanges(global int *data)
{
    global int *mine = data + get_global_id(0);
    *mine = 5;
    atomic_cmpxchg(mine, 5, 77);
}

// RUN group_reads_groups -g 4 -l 32 buf:16
kernel void group_reads_groups(global int *data)
{
    if (get_local_id(0) == 0)
        data[get_group_id(0)] = 3; // FINDS race
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_global_id(0) == 0) {
        int sum = 0;
        for (uint i = 0; i < get_num_groups(0); i++)
            sum += data[i]; // FINDS race
        data[0] = sum;
    }
}

// RUN group_sums -g 4 -l 32 buf:512 buf:16
kernel void group_sums(global int *scratch, global int *out)
{
    uint i = get_global_id(0), g = get_group_id(0), n = get_local_size(0);
    scratch[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        int sum = 0;
        for (uint k = 0; k < n; k++)
            sum += scratch[n * g + k];
        out[g] = sum;
    }
}

// RUN broadcast -g 4 -l 32 buf:512 buf:4
kernel void broadcast(global int *out, global const int *in)
{
    out[get_global_id(0)] = in[0];
}

// RUN last_write_after_reads -g 1 -l 128 buf:512 buf:4
kernel void last_write_after_reads(global int *out, global int *data)
{
    uint l = get_local_id(0);
    out[l] = data[0];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0)
        data[0] = -1;
}

// RUN element_of_short_array -g 1 -l 32 buf:128
kernel void element_of_short_array(global int *out)
{
    local int t[8];
    uint l = get_local_id(0);
    if (l < 8)
        t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l + 1024]; // FINDS memory
}

// RUN padded_structs -g 1 -l 32 buf:256 buf:256
struct padded {
    char a;
    int b;
};
kernel void padded_structs(global struct padded *out, global const struct padded *in)
{
    struct padded s = in[get_global_id(0)];
    s.b += s.a;
    out[get_global_id(0)] = s;
}

// Fences of different memory: newer compilers make one barrier of two that are alike.
// RUN barrier_in_both_branches -g 1 -l 16 buf:64
kernel void barrier_in_both_branches(global int *out)
{
    int l = get_local_id(0), v;
    if (l == 0) {
        v = 42;
        barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier
    } else {
        barrier(CLK_GLOBAL_MEM_FENCE); // FINDS barrier
        v = l;
    }
    out[l] = v;
}

// RUN group_copy_beside_writes -g 1 -l 64 buf:256
kernel void group_copy_beside_writes(global int *out)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[63 - l] = 0;                                      // FINDS race
    event_t event = async_work_group_copy(out, t, 64, 0); // FINDS race
    wait_group_events(1, &event);
}

// RUN group_copy_past_the_end -g 1 -l 64 buf:256
kernel void group_copy_past_the_end(global int *out)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t event = async_work_group_copy(out + 1, t, 64, 0); // FINDS memory
    wait_group_events(1, &event);
}

// Groups that pass on what they wrote: the last one, by a counter, reads what all have written.
// RUN passed_behind_fence -g 4 -l 16 buf:256 buf:4 buf:64
kernel void passed_behind_fence(global int *parts, volatile global int *counter, global int *sum)
{
    local int taken;
    int l = get_local_id(0);
    parts[get_global_id(0)] = l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0)
        taken = atomic_inc(counter);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (taken == 3)
        sum[l] = parts[l] + parts[16 + l] + parts[32 + l] + parts[48 + l];
}

// RUN passed_without_fence -g 4 -l 16 buf:256 buf:4 buf:64
kernel void passed_without_fence(global int *parts, volatile global int *counter, global int *sum)
{
    local int taken;
    int l = get_local_id(0);
    parts[get_global_id(0)] = l; // ALSO race
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        taken = atomic_inc(counter);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (taken == 3)
        sum[l] = parts[l] + parts[16 + l] + parts[32 + l] + parts[48 + l]; // FINDS race
}

// RUN barrier_behind_return -g 1 -l 64 buf:256
kernel void barrier_behind_return(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l;
    if (l == 3)
        return;
    barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier
    out[l] = t[l];
}

// RUN barrier_in_switch -g 1 -l 64 buf:256
kernel void barrier_in_switch(global uint *out)
{
    uint l = get_local_id(0);
    switch (l & 3) {
    case 0: out[l] = 1; break;
    case 1: barrier(CLK_LOCAL_MEM_FENCE); break; // FINDS barrier
    case 2: out[l] = 2; break;
    default: out[l] = 3;
    }
}

// RUN barrier_in_function -g 1 -l 64 buf:256
__attribute__((noinline)) uint met(local uint *t, uint l)
{
    barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier
    return t[l];
}

kernel void barrier_in_function(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l;
    if (l % 3 == 1)
        out[l] = met(t, l);
}

// Whole threads miss the barrier: the group ends while others wait.
// RUN return_of_a_thread -g 1 -l 64 buf:256
kernel void return_of_a_thread(global uint *out)
{
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = l;
    if (l >= 32)
        return;
    barrier(CLK_LOCAL_MEM_FENCE); // FINDS fault
    out[l] = t[l];
}

// RUN branch_of_a_thread -g 1 -l 64 buf:256
kernel void branch_of_a_thread(global uint *out)
{
    uint l = get_local_id(0);
    if (l < 32)
        barrier(CLK_LOCAL_MEM_FENCE); // FINDS fault
    out[l] = l;
}

// RUN rounds_of_threads -g 1 -l 64 buf:256
kernel void rounds_of_threads(global uint *out)
{
    uint l = get_local_id(0);
    for (uint i = 0; i <= l / 32; i++)
        barrier(CLK_LOCAL_MEM_FENCE); // FINDS fault
    out[l] = l;
}

// RUN break_before_barrier -g 1 -l 64 buf:256 buf:256:iota-u32
kernel void break_before_barrier(global uint *out, global const uint *in)
{
    uint l = get_local_id(0), i = 0;
    while (1) {
        if (in[l] < i)
            break;
        barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier, ALSO fault
        i++;
    }
    out[l] = i;
}
