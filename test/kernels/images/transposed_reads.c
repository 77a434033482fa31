/* Computes in scalar C what the kernel of transposed_reads.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* A block of `rows` x `columns` dwords, the block's number x, y: its columns one after the other. */
static void transposed_block(const u8 *image, u8 *to, int rows, int columns, int x, int y)
{
    enum { PITCH = 64 };
    EACH(c, columns)
    EACH(r, rows) memcpy(to + (c * rows + r) * 4, image + (y * rows + r) * PITCH + (x * columns + c) * 4, 4);
}

static void transposed_reads(const void *in, void *out, unsigned thread)
{
    u8 *to = out;
    (void)thread;
    transposed_block(in, to, 8, 4, 2, 0);
    transposed_block(in, to + 128, 2, 8, 1, 3);
    transposed_block(in, to + 192, 4, 1, 13, 1);
    transposed_block(in, to + 208, 1, 4, 3, 5);
}

REFERENCE(transposed_reads)
