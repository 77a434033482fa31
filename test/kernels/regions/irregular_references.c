/* Computes in scalar C what the kernel of irregular_references.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Word `number` of four rows of eight bytes, the first at (row, column), `pitch` rows apart, in a matrix of 16-byte
 * rows. */
static u8 *word_of_rows(u8 *m, int row, int column, int pitch, int words, int number)
{
    return m + (row + number / words * pitch) * 16 + column + number % words * 2;
}

static void irregular_references(const void *in, void *out, unsigned thread)
{
    IN(u8, m, 128, thread * 128);
    int i = (int)thread + 2;
    EACH(pass, 2)
    {
        /* first rows 1, 3, 5, 7, bytes 4 to 11; then the whole rows 0 and 1 */
#define WORD(N) (pass == 0 ? word_of_rows(m, 1, 4, 2, 4, N) : word_of_rows(m, 0, 0, 1, 8, N))
        EACH(k, 4) put16(WORD(i + 3 * k), get16(WORD(i + 3 * k)) + 1);
        put16(WORD(i + 9), 500);
#undef WORD
    }
    u16 rest[16];
    EACH(k, 16) rest[k] = get16(word_of_rows(m, 4, 8, 1, 4, k));
    EACH(k, 8) rest[k] = get16(word_of_rows(m, 4, 8, 1, 4, (i & 1) * 8 + k));
    rest[15] = get16(word_of_rows(m, 0, 0, 1, 4, i * 4 + i - 1));
    OUT(thread * 192, m);
    OUT(thread * 192 + 128, rest);
    OUT(thread * 192 + 160, rest);
}

REFERENCE(irregular_references)
