/* Computes in scalar C what the kernel of typed_atomics.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void typed_atomics(const void *in, void *out, unsigned thread)
{
    enum { OUT_BYTES = 512 };
    (void)thread;
    IN(u32, wanted, 8, 0);
    IN(u32, operand, 16, 128);
    u32 rows[2][16];
    memcpy(rows, in, sizeof rows);
    EACH(k, 16)
    {
        put32((u8 *)out + 4 * k, rows[1][k]);
        rows[1][k] += operand[k];
        put32((u8 *)out + 64 + 4 * k, k & 1 ? rows[1][k] : 5);
        rows[1][k] += k & 1;
    }
    EACH(k, 8)
    {
        put32((u8 *)out + 128 + 4 * k, rows[0][k]);
        rows[0][k] = rows[0][k] == wanted[k] + (k & 1) ? operand[8 + k] : rows[0][k];
    }
    EACH(k, 16)
    {
        put32((u8 *)out + 192 + 4 * k, k < 8 ? rows[0][k + 8] : 0);
        if (k < 8 && (i32)operand[k] < (i32)rows[0][k + 8])
            rows[0][k + 8] = operand[k];
    }
    u32 few[8];
    EACH(k, 8)
    {
        few[k] = --rows[1][4 + k];
        put32((u8 *)out + 256 + 4 * k, few[k]);
    }
    EACH(k, 8)
    {
        put32((u8 *)out + 288 + 4 * k, rows[1][8 + k]);
        rows[1][8 + k] ^= few[k];
    }
    memcpy((u8 *)out + OUT_BYTES, rows, sizeof rows);
}

REFERENCE(typed_atomics)
