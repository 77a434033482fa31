// Variables of an OpenCL C kernel without optimization, which are in private memory, for test/gdb/gdb.py. `in` has 0,
// 1, 2 ...

// OPTIONS -cl-opt-disable

struct point {
    int x, y;
    float w;
};

int multiplied(int a, int k)
{
    int r = a * k;
    return r + 1; // MARK multiplied
}

float halved(float a)
{
    float r = a * 0.5f;
    return r; // MARK halved
}

// SESSION variables -g 2 -l 32 buf:256:iota-u32 buf:256@print=u32 i32:3
// GDB tbreak private.cl:@halved
// GDB continue
// SEES Temporary breakpoint 1, halved \(a=5\)
// GDB finish
// SEES variables \(
// GDB break private.cl:@all_set
// GDB continue
// SEES Breakpoint 2, variables
// GDB info locals
// SEES \bi = 0
// SEES l = 0
// SEES table = \{0, 3, 6, 9, 12, 15\}
// SEES p = \{x = 3, y = 0, w = 2\.5\}
// SEES q = \{1, 0, 3, 0\}
// GDB set $rcx = 5
// GDB info locals
// SEES \bi = 5
// SEES l = 5
// SEES table = \{5, 8, 11, 14, 17, 20\}
// SEES p = \{x = 3, y = 5, w = 2\.5\}
// SEES q = \{16, 20, 3, 5\}
// GDB info args
// SEES n = 3
// GDB print in[i]
// SEES = 5
// GDB print *in@4
// SEES = \{0, 1, 2, 3\}
// GDB print p.y + table[2]
// SEES = 16
// GDB delete
// GDB break private.cl:@multiplied if a == 32
// GDB set $rcx = 0
// GDB continue
// GDB print r
// SEES = 96
// GDB finish
// SEES variables \(
// NEVER Value returned
// GDB delete
// GDB continue
// SEES exited normally
kernel void variables(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), l = get_local_id(0);
    int table[6];
    struct point p;
    p.x = n;
    p.y = in[i];
    p.w = halved(5.0f);
    for (int k = 0; k < 6; k++)
        table[k] = k * n + l;
    int4 q = (int4)(multiplied(in[i], n), table[l % 6], p.x, p.y);
    out[i] = q.x + q.y + q.z + q.w; // MARK all_set
}
