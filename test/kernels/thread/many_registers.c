/* Computes in scalar C what the kernel of many_registers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void many_registers(const void *in, void *out, unsigned thread)
{
    enum { ROWS = 22, LANES = 64 };
    const u8 *from = (const u8 *)in + thread * ROWS * LANES * 4;
    u8 *to = (u8 *)out + thread * ROWS * LANES * 4;
    for (unsigned row = 0; row < ROWS; row++)
        EACH(k, LANES)
        {
            u32 here = get32(from + (row * LANES + (unsigned)k) * 4);
            u32 there = get32(from + ((ROWS - 1 - row) * LANES + (unsigned)k) * 4);
            put32(to + (row * LANES + (unsigned)k) * 4, there * 3 - here);
        }
}

REFERENCE(many_registers)
