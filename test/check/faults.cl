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
    out[get_global_id(0)] = t[63 - l]; // FINDS race
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
