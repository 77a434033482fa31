/* Computes in scalar C what the kernel of runtime_words.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void runtime_words(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(uint64_t, one, 1, 0);
    IN(uint64_t, eight, 8, 64);
    IN(u8, sixteen, 64, 128);
    IN(u32, offsets, 16, 192);
    u32 at = offsets[0];
    u8 words[4];
    one[0] &= 0xfffffffffffll;
    memcpy(words, (u8 *)one + 2 * (at % 3), sizeof words);
    EACH(k, 2)
    {
        u8 *word = (u8 *)one + 2 * (at / 4 % 3 + (unsigned)k);
        put16(word, (u16)(get16(word) | (get16(words + 2 * k) + 3)));
    }
    OUT(0, one);
    EACH(k, 4)
    {
        u8 *word = (u8 *)eight + 2 * (at % 23 + 3 * (unsigned)k);
        put16(word, get16(word) ^ get16(words + 2));
    }
    EACH(k, 16) sixteen[at % 17 + 3 * (unsigned)k] += 99;
    EACH(k, 8) memcpy((u8 *)out + 120 - 8 * k, &eight[k], 8);
    EACH(k, 16) memcpy((u8 *)out + 128 + 4 * (k ^ 5), sixteen + 4 * k, 4);
    EACH(k, 8) eight[k] += one[0];
    OUT(192, eight);
}

REFERENCE(runtime_words)
