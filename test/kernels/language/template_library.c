/* Computes in scalar C what the kernels of template_library.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void turned_matrices(const void *in, void *out, unsigned thread)
{
    (void)thread;
    u16 m[16][16], r[16][16], (*to)[16][16] = out;
    memcpy(m, in, sizeof m);
    EACH(i, 16) EACH(j, 16)
    {
        to[0][i][j] = m[15 - j][i];
        to[1][i][j] = m[j][15 - i];
        to[2][i][j] = m[15 - j][15 - i];
        to[3][i][j] = m[15 - i][15 - j];
    }
    memcpy(r, m, sizeof r);
    EACH(i, 8) EACH(j, 8) r[i][4 + j] = m[4 + j][8 + i];
    memcpy(to[4], r, sizeof r);
    EACH(k, 16)
    {
        int from = m[3][k] & 15;
        r[k / 4][k % 4] = m[1 + from / 4 * 2][2 + from % 4 * 3];
    }
    memcpy(to[5], r, sizeof r);
    EACH(k, 16)
    {
        u32 packed = (m[0][k] | (u32)m[5][k] << 16) + 0x10001;
        r[14][k] = (u16)packed;
        r[15][k] = r[13][k] = (u16)(packed >> 16);
    }
    memcpy(to[6], r, sizeof r);
    memcpy((u16 *)out + 1793, (const u16 *)in + 3, 26);
}

static void library_functions(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, raw, 64, 0);
    float r[8][64];
    EACH(k, 64)
    {
        float x = (float)((raw[k] & 0xfff) - 2048) * 0.01f;
        r[0][k] = (float)tanh((double)x);
        r[1][k] = (float)sin((double)x);
        r[2][k] = (float)cos((double)x);
        r[3][k] = (float)fmod(((raw[k] & 0xfff) - 2048) * 0.25 + 0.125, (raw[k] >> 16 & 7) + 2.5);
        const int from[4] = {3, 0, 1, 2};
        EACH(n, 4) r[4 + n][k] = fminf(fmaxf(r[from[n]][k], 0), 1);
    }
    OUT(0, r);
}

static void library_blocks(const void *in, void *out, unsigned thread)
{
    enum { OUT_BYTES = 1024, PITCH = 64 };
    const u8 *from = in;
    u8 *to = out, *image = to + OUT_BYTES;
    (void)thread;
    EACH(i, 13) EACH(j, 44) to[i * 44 + j] = from[(2 + i) * PITCH + 5 + j];
    EACH(i, 9) EACH(j, 40) image[(4 + i) * PITCH + 8 + j] = from[(2 + 3 + i) * PITCH + 5 + 1 + j] ^ 0x55;
}

REFERENCE(turned_matrices)
REFERENCE(library_functions)
REFERENCE(library_blocks)
