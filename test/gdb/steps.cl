// OpenCL C kernels that test/gdb/gdb.py debugs; it describes the comments.

__attribute__((noinline)) uint twice(uint a, uint n)
{
    uint r = a * n; // MARK twice
    return r + 1;
}

// Breakpoints, calls, shared local memory, variables: those of all lanes, and of one lane. (The newest compiler says of
// no variable of a called function where it is, on Tiger Lake.)
// SESSION shared -g 2 -l 16 buf:128:iota-u32 buf:128@print=u32 u32:3 !dg2 !newest
// GDB info line 1
// GDB break steps.cl:@twice
// GDB continue
// SEES group 0,0,0 thread \d+. hit Breakpoint 1, twice \(a=(0|8), n=3\)
// GDB backtrace
// SEES #0 .*twice \(a=(0|8), n=3\) at .*steps.cl:@twice
// SEES #1 .*in shared \(.*\) at .*steps.cl:@call
// GDB print a % 8
// SEES \$1 = 0
// GDB set $rcx = 3
// GDB print a % 8
// SEES \$2 = 3
// GDB print n
// SEES \$3 = 3
// GDB up
// SEES #1 .*shared
// GDB monitor slm 0 32
// SAYS shared local memory, \d+ bytes
// SAYS 0: 00000000 00000001 00000002 00000003
// GDB x/4xw 0x0a00000000000010
// SEES 0xa00000000000010:\s+0x00000004\s+0x00000005
// GDB finish
// GDB delete
// GDB continue
// SEES exited normally
// PRINTS 80 82 84 86 88 90 92 94 96 98 100 102 104 106 108 110
kernel void shared(global const uint *in, global uint *out, uint factor)
{
    local uint part[16];
    uint i = get_global_id(0), l = get_local_id(0);
    uint v = in[i];
    part[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = twice(v, factor); // MARK call
    v += part[15 - l];
    out[i] = v;
}

// A watchpoint on shared local memory.
// SESSION shared -g 1 -l 16 buf:64:iota-u32 buf:64@print=u32 u32:3
// GDB watch *(unsigned int *)0x0a00000000000014
// SEES Hardware watchpoint 1
// GDB continue
// SEES hit Hardware watchpoint 1
// SEES New value = 5
// GDB delete
// GDB continue
// SEES exited normally
