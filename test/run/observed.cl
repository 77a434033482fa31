/* Straight code: each thread issues every instruction once, so what --stats counts can be read off the disassembly. */
kernel void observed(global const float *a, global const float *b, global float *c)
{
    uint i = get_global_id(0);
    c[i] = a[i] + b[i];
}
