/* Computes in scalar C what the kernels of spellings.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void spellings(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 32, 0);
    u32 row[8][16];
    EACH(k, 16)
    {
        u32 x = a[k], y = a[16 + k], bytes = (x & 255) + (y & 255);
        int64_t sum = (int64_t)(int32_t)x * (int32_t)y + (int32_t)x;
        uint64_t total = (uint64_t)x * y + y;
        row[0][k] = (u32)sum;
        row[1][k] = (u32)(sum >> 32);
        row[2][k] = (u32)total;
        row[3][k] = (u32)(total >> 32);
        row[4][k] = (bytes > 255 ? 255 : bytes) * 256 + (bytes & 255);
        row[5][k] = a[31 - k] + 5;
        row[6][k] = a[0] & 1 ? row[0][k] : x;
        row[7][k] = k < 8 ? a[1 + k] : a[15 - k];
    }
    OUT(0, row);
}

static void atomic_spellings(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, x, 16, 0);
    IN(u16, padded, 32, 64);
    u32 memory[48];
    u16 dense[32] = {0};
    EACH(k, 16)
    {
        memory[k] = x[k] + x[15 - k] + 1;
        memory[16 + k] = x[15 - k];
        memory[32 + k] = x[15 - k] + x[k];
    }
    EACH(k, 18) dense[k] = padded[k / 6 * 8 + k % 6];
    OUT(0, memory);
    OUT(192, dense);
}

static void long_integers(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(uint64_t, x, 16, 0);
    uint64_t row[4][16];
    u32 both[16], first[32];
    memcpy(first, x, sizeof first);
    EACH(k, 16)
    {
        unsigned n = (k == 1 || k == 2 ? 0 : (unsigned)k * 9) % 64;
        row[0][k] = n ? x[k] << n | x[k] >> (64 - n) : x[k];
        row[1][k] = n ? x[k] >> n | x[k] << (64 - n) : x[k];
        row[2][k] = x[k] + ((uint64_t)1 << 63);
        row[3][k] = x[k] - row[2][k];
        both[k] = (row[2][k] < x[k]) + (x[k] < row[2][k]) * 2u;
    }
    OUT(0, row);
    OUT(512, both);
    u32 list[4] = {first[3], first[0], first[9], first[1]};
    OUT(576, list);
}

REFERENCE(spellings)
REFERENCE(atomic_spellings)
REFERENCE(long_integers)
