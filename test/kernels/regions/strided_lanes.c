/* Computes in scalar C what the kernel of strided_lanes.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

enum { LANES = 32, HALF = 16, BYTES = 128, WORDS = 128 };

/* Rounds of the loop, which each lane does until its own number is no longer positive. */
static void loop(u8 *bytes, u16 *words, i32 *r, unsigned byte, unsigned word)
{
    i32 turn[LANES];
    bool inside[LANES];
    u32 sums[LANES];
    EACH(k, LANES) turn[k] = r[k] & 7;
    EACH(k, LANES) inside[k] = true;
    for (bool any = true; any;) {
        any = false;
        EACH(k, LANES)
        turn[k] -= inside[k];
        EACH(k, LANES)
        if (inside[k])
            bytes[word + 3 * (unsigned)k] += (u8)turn[k];
        EACH(k, LANES) /* all are read before one is written */
        sums[k] = words[word + 3 * (unsigned)k] + words[byte + 3 * (unsigned)k] + (u32)turn[k];
        EACH(k, LANES)
        if (inside[k] && turn[k] % 2 == 0)
            words[word + 3 * (unsigned)k] = (u16)sums[k];
        EACH(k, LANES)
        if (inside[k] && turn[k] % 2 != 0)
            r[k] += bytes[byte + 3 * (unsigned)k];
        EACH(k, LANES)
        {
            inside[k] = inside[k] && turn[k] > 0;
            any = any || inside[k];
        }
    }
}

static void strided_lanes(const void *in, void *out, unsigned thread)
{
    unsigned start = thread * 512;
    IN(u8, bytes, BYTES, start);
    IN(u16, words, WORDS, start + 128);
    IN(i32, r, LANES, start + 384);
    unsigned byte = bytes[0] & 31u, word = words[0] & 31u;
    i32 third[LANES], fifth[HALF];
    u16 before[WORDS];
    EACH(k, LANES) third[k] = words[word + 3 * (unsigned)k];
    EACH(k, HALF) fifth[k] = bytes[byte + 5 * (unsigned)k] + words[word + 7 + 5 * (unsigned)k];
    EACH(k, LANES)
    if (r[k] > 0)
        bytes[byte + 3 * (unsigned)k] = (u8)third[k];
    EACH(k, HALF)
    words[word + 5 * (unsigned)k] = (u16)(fifth[k] % 2 == 0 ? words[word + 5 * (unsigned)k] * 7 : fifth[k]);
    memcpy(before, words, sizeof before);
    EACH(k, LANES) words[byte + 3 * (unsigned)k] = (u16)(before[byte + 3 * (unsigned)k] ^ third[k]);
    loop(bytes, words, r, byte, word);
    EACH(k, HALF) r[k] += fifth[k];
    OUT(start, bytes);
    OUT(start + 128, words);
    OUT(start + 384, r);
}

REFERENCE(strided_lanes)
