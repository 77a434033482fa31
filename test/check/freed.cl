// A kernel that writes where a pointer in memory points, for freed.c.
kernel void far(global ulong *table)
{
    global uint *out = (global uint *)table[0];
    out[get_global_id(0)] = get_global_id(0); // MARK
}
