/* Computes in scalar C what the kernel of format_rows.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void format_rows(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, loaded, 64, 0);
    IN(u8, n, 128, 128);
    u8 m[128] = {0};
    u32 words[8];
    EACH(r, 4) EACH(w, 2) put32(m + (1 + 2 * r) * 16 + 4 + 4 * w, 0x11223344);
    EACH(r, 4) memcpy(m + 2 * r * 16, loaded + r * 16, 16);
    EACH(r, 4) EACH(w, 2) words[r * 2 + w] = get32(m + r * 16 + 8 + 4 * w);
    EACH(r, 4) EACH(w, 2)
    {
        u8 *at = m + (4 + r) * 16 + 4 * w;
        put32(at, get32(at) + words[r * 2 + w]);
    }
    /* rows 1 and 5 as sixteen words: every other one */
    EACH(k, 8) put16(m + (k < 4 ? 1 : 5) * 16 + k % 4 * 4, 0x5a5a);
    OUT(0, m);

    /* n: rows of 32 bytes; rows 1 and 3, bytes 8 to 23, together 32 bytes; as four rows of eight bytes: the third */
    EACH(k, 8) n[3 * 32 + 8 + k] = 9;
    /* as sixteen words: numbers 1, 5, 9, 13 */
    EACH(k, 4)
    {
        int word = 1 + 4 * k;
        put16(n + (word < 8 ? 1 : 3) * 32 + 8 + word % 8 * 2, 0x7777);
    }
    OUT(128, n);
}

REFERENCE(format_rows)
