/* Compiled with -g. The test of fault reports expects the bad access in line 8. */
kernel void read_anywhere(ulong address, global uint *out)
{
    uint sum = 0;
    for (uint i = 0; i < 4; i++)
        sum += i * i;
    if (sum == 14)
        sum += *(volatile global uint *)address;
    out[0] = sum;
}
