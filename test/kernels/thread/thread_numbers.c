/* Computes in scalar C what the kernels of thread_numbers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Threads of a group come one after the other, dimension 0 first; groups likewise. */
static void thread_numbers(const void *in, void *out, unsigned thread)
{
    enum { GX = 3, GY = 2, GZ = 2, LX = 2, LY = 3, LZ = 1, LOCAL = LX * LY * LZ, GROUPS = GX * GY * GZ };
    unsigned group = thread / LOCAL, local = thread % LOCAL;
    unsigned g[3] = {group % GX, group / GX % GY, group / GX / GY},
             l[3] = {local % LX, local / LX % LY, local / LX / LY};
    u32 v[16] = {thread, group * 256 + local, GROUPS * 256 + LOCAL, GROUPS * LOCAL};
    (void)in;
    v[4] = (g[0] * LX + l[0]) + (g[1] * LY + l[1]) * 256 + (g[2] * LZ + l[2]) * 65536;
    v[5] = g[0] + g[1] * 256 + g[2] * 65536;
    v[6] = l[0] + l[1] * 256 + l[2] * 65536;
    v[7] = GX + GY * 256 + GZ * 65536;
    v[8] = LX + LY * 256 + LZ * 65536;
    v[9] = g[0] + g[1] * 256;
    OUT(thread * 64, v);
}

static void clocks(const void *in, void *out, unsigned thread)
{
    u32 result[8] = {1, 1, 8};
    (void)in;
    OUT(thread * 32, result);
}

REFERENCE(thread_numbers)
REFERENCE(clocks)
