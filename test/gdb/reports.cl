// A session that stops at a report of gensim --check in OpenCL C, for test/gdb/gdb.py, which describes the comments.

// barrier: the odd work items do not reach it. The second thread's report is of the same place, and stops no more.
// SESSION --check=barrier parted -g 1 -l 64 buf:256@print=u32 u32:5
// GDB continue
// SEES group 0,0,0 thread \d.* received signal SIGUSR1
// SEES parted \(.*\) at .*reports.cl
// SAYS gensim: check: barrier: a barrier is reached with \d+ of the thread's \d+ channels active; it lacks lanes 1, 3
// SAYS kernel parted .*, group 0,0,0, thread \d
// SAYS source .*reports.cl:@barrier
// GDB info threads
// SEES \* \d .*group 0,0,0 thread \d" \(channels 0x5+\) .*parted
// GDB print n
// SEES \$1 = 5
// GDB print $r0.ud[1]
// SEES \$2 = 0
// GDB continue
// SEES exited normally
kernel void parted(global uint *out, uint n)
{
    uint i = get_global_id(0);
    if (i % 2 == 0)
        barrier(CLK_LOCAL_MEM_FENCE); // MARK barrier
    out[i] = i * n;
}
