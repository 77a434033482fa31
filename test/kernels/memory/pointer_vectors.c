/* Computes in scalar C what the kernels of pointer_vectors.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void pointer_vectors(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 128, thread * 512);
    u8 *to = (u8 *)out + thread * 512;
    int number[32];
    u32 v[32];
    EACH(k, 32)
    {
        number[k] = k * 7 % 32;
        v[k] = a[number[k]];
    }
    EACH(k, 32) put32(to + 4 * (31 - number[k]), v[k]);
    EACH(k, 13)
    {
        int word = k == 2 ? 110 : 64 + number[3 + k];
        u16 w = number[k] & 1 ? get16((u8 *)a + 2 * word) : 77;
        if (k % 3 != 1)
            put16(to + 2 * (64 + number[k]), w);
    }
    EACH(k, 8)
    {
        uint64_t l;
        memcpy(&l, v + 2 * k, 8);
        l++;
        memcpy(to + 8 * (24 - (number[k] & 7)), &l, 8);
    }
    put32(to + 4 * 127, a[127] + 1);
}

static void pointer_matrices(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 128, 0);
    u8 *to = out;
    static const int few[4] = {0, 5, 90, 2}, place[4] = {0, 3, 1, 2};
    u32 first = 0;
    (void)thread;
    EACH(k, 32)
    {
        int number = 31 - k, from = k == 10 ? 100 : number;
        u32 m = a[number] + (number & 1 ? a[from] : 1000);
        put32(to + 4 * k, m);
        if (number & 1)
            put32(to + 4 * (32 + k), m + 1);
        first = k ? first : m;
    }
    EACH(k, 4) put32(to + 4 * (64 + place[k]), 2 * a[few[k]]);
    put32(to + 4 * 70, first + 2);
}

REFERENCE(pointer_vectors)
REFERENCE(pointer_matrices)
