/* Computes in scalar C what the kernel of widened_longs.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void widened_longs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, w, 32, 0);
    IN(u8, b, 64, 64);
    IN(uint64_t, a, 16, 128);
    uint64_t wide[4], bytes[4], r[4][4];
    int i = w[0] & 15, j = b[1] & 31;
    EACH(k, 4) wide[k] = w[i + k];
    EACH(k, 4) bytes[k] = b[j + 2 * k];
    EACH(k, 16) w[(j & 7) + k] += 3;
    EACH(k, 16) b[i + k] ^= 0x5a;
    u16 first = (u16)(w[i] * 3), second = (u16)(w[j] + b[i]), third = w[7] ^ b[9];
    u32 numbers[16];
    EACH(k, 4)
    {
        r[0][k] = w[2 + k] > w[6 + k] ? wide[k] : a[k];
        r[1][k] = a[4 + k] + wide[k];
        r[2][k] = w[9 + k] > w[16 + k] ? wide[k] : a[8 + k];
        r[3][k] = (b[3 + k] < b[8 + k] ? bytes[k] : a[8 + k]) + bytes[k] * first;
    }
    EACH(k, 16) numbers[k] = k >= 4 && k < 8 ? second : k >= 8 && k < 12 ? third : first;
    OUT(0, r);
    OUT(128, numbers);
}

REFERENCE(widened_longs)
