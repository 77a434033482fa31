/* Computes in scalar C what the kernels of scalar_writes.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void scalar_sizes(const void *in, void *out, unsigned thread)
{
    const u8 *from = in;
    u8 *to = out;
    (void)thread;
    put32(to + 4, get32(from + 4) + 1);
    to[26] = (u8)(from[26] + 1);
    put16(to + 40, get16(from + 40) ^ 0xffff);
    put32(to + 12, get32(from + 12));
    put16(to + 32, get16(from + 34));
}

static void scalar_writes(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 64);
    EACH(k, 8) put32((u8 *)out + thread * 64 + 32 + 4 * k, a[k] + (u32)k);
    put32((u8 *)out + thread * 64, a[9]);
}

static void single_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    u32 from = a[0] & 15, to = 15 - from;
    put32((u8 *)out + 4 * to, a[from]);
    ((u8 *)out)[(from < 8 ? 0 : 32) + from] = ((const u8 *)in)[4 + to];
}

REFERENCE(scalar_writes)
REFERENCE(scalar_sizes)
REFERENCE(single_lanes)
