/* Computes in scalar C what the kernel of kept_rows.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void kept_rows(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, w, 64, 0);
    IN(int, d, 32, 128);
    IN(u8, b, 64, 256);
    IN(int, n, 16, 320);
    int i = w[0] & 3, j = w[1] & 7, dwords[16], rows[16], wide[16];
    u16 words[16];
    u8 bytes[16], narrow[16];
    float floats[8], lanes[8];
    EACH(k, 16)
    {
        int row = k / 4, column = k % 4;
        words[k] = (u16)(w[39 + k] - (n[(i & 1) + row + column] & 511));
        rows[k] = d[i + 2 * row + column];
        dwords[k] = (int)((u32)d[3 + k] - (u32)rows[k]);
        narrow[k] = b[j + 2 * row + 2 * column];
        bytes[k] = (u8)(b[23 + k] - narrow[k]);
        wide[k] = (int)((u32)d[5 + k] - w[j + 8 * row + 2 * column]);
    }
    EACH(k, 8) lanes[k] = -(float)(n[i + k / 4 * 2 + k % 4] >> 8);
    EACH(k, 8) floats[k] = (float)(n[3 + k] >> 8) + lanes[k];
    OUT(0, words);
    OUT(32, dwords);
    OUT(96, rows);
    OUT(160, wide);
    OUT(224, floats);
    OUT(256, bytes);
    OUT(272, narrow);
    OUT(288, lanes);
}

REFERENCE(kept_rows)
