/* Straight code: each thread issues every instruction once, so what --stats counts can be read off the disassembly. */
kernel void observed(global const float *a, global const float *b, global float *c)
{
    uint i = get_global_id(0);
    c[i] = a[i] + b[i];
}

/* What is executed depends on an argument. */
kernel void seldom(global float *c, int wanted)
{
    uint i = get_global_id(0);
    if (wanted)
        c[i] = native_sin(c[i]);
}
