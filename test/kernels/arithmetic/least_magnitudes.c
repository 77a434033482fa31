/* Computes in scalar C what the kernel of least_magnitudes.cm must write. */
#include <math.h>
#include <stdlib.h>
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void least_magnitudes(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i16, w, 16, thread * 128 + 64);
    IN(int8_t, b, 16, thread * 128 + 96);
    i16 sums[16], differences[16];
    u32 rest[16];
    float f[16];
    i32 less[16];
    u8 low[16];
    int8_t most[16];
    i16 most_words[16], kept[16];
    i32 most_numbers[16], whole[16];
    int64_t longs[4];
    EACH(k, 16)
    {
        i32 number = (v[k] & 3) == 0 ? INT32_MIN : v[k];
        i16 word = (number & 5) == 0 ? INT16_MIN : w[k];
        int8_t byte = (number & 6) == 0 ? INT8_MIN : b[k];
        i32 of_number = number < 0 ? opposite_of(number) : number;
        i16 of_word = word < 0 ? (i16)-word : word;
        int8_t of_byte = byte < 0 ? (int8_t)-byte : byte;
        sums[k] = (i16)(of_byte + of_word);
        differences[k] = (i16)(of_word - of_byte * 3);
        rest[k] = (u32)of_byte % ((u32)(word & 63) | 1);
        f[k] = (float)of_number;
        u32 difference = ((u32)number ^ 0x5a5a5a5a) - (u32)number * 3;
        low[k] = (u8)(difference >> 31 ? 0 - difference : difference);
        most[k] = of_byte < 0 ? INT8_MAX : of_byte;
        kept[k] = of_word;
        most_words[k] = of_word < 0 ? INT16_MAX : of_word;
        most_numbers[k] = of_number < 0 ? INT32_MAX : of_number;
        whole[k] = abs(word);
        less[k] = (of_number < 0) + 2 * (of_word < 7) + of_number / 3;
    }
    OUT(thread * 576, sums);
    OUT(thread * 576 + 32, differences);
    OUT(thread * 576 + 64, rest);
    OUT(thread * 576 + 128, f);
    OUT(thread * 576 + 192, less);
    OUT(thread * 576 + 256, low);
    OUT(thread * 576 + 272, most);
    OUT(thread * 576 + 288, most_words);
    OUT(thread * 576 + 320, kept);
    OUT(thread * 576 + 352, most_numbers);
    OUT(thread * 576 + 416, whole);
    OUT(thread * 576 + 480, most_numbers);
    EACH(k, 3) longs[k] = llabs((v[k] & 3) == 0 ? -INT32_MAX : v[k]) * (1LL << 32) + ((v[k] & 3) == 0 ? UINT32_MAX : 0);
    longs[3] = INT64_MAX;
    OUT(thread * 576 + 544, longs);
}

REFERENCE(least_magnitudes)
