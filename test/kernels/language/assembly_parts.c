/* Computes in scalar C what the kernel of assembly_parts.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* The parts are read before each asm statement and written after it. */
static void assembly_parts(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, 0);
    u32 m[32], sum[8], factor;
    u16 words[32];
    EACH(k, 32) m[k] = k < 8 && k % 2 == 0 ? 7 : ~0u;
    EACH(r, 2) EACH(c, 4) m[((thread >> 1) + r) * 8 + 1 + 2 * c] = v[1 + 2 * (4 * r + c)] + 5;
    factor = v[thread];
    EACH(k, 8) v[4 + k] *= factor;
    memcpy(words, v, sizeof words);
    EACH(k, 2) sum[k] = words[8 + k] + v[3];
    EACH(k, 2) words[2 * k] = (u16)sum[k];
    memcpy(v, words, sizeof words);
    v[15] += 1;
    EACH(k, 4) m[8 + k] = v[8 + k];
    EACH(r, 2) EACH(c, 4) m[(2 + r) * 8 + 4 + c] = v[8 + 4 * r + c];
    EACH(k, 8) v[k] += v[k];
    EACH(k, 8) m[k] += (i32)m[24 + k] > 0;
    EACH(k, 4)
    {
        u32 read = v[7 - k];
        v[15 - k] += read;
        if (k & 1)
            v[k + (int)thread] = read + 3;
    }
    OUT(thread * 192, m);
    OUT(thread * 192 + 128, v);
}

REFERENCE(assembly_parts)
