/* Computes in scalar C what the kernels of recognized.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/recognized.h"
#include "test/kernels/reference.h"

static uint64_t reversed(uint64_t x, int bits)
{
    uint64_t result = 0;
    EACH(k, bits) result |= (x >> k & 1) << (bits - 1 - k);
    return result;
}

static void saturated_by_choice(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    IN(i16, c, 32, 128);
    IN(i16, d, 32, 192);
    u32 dwords[2][16];
    i16 words[2][32];
    i32 wide[2][16];
    EACH(k, 16)
    {
        dwords[0][k] = a[k] > b[k] ? a[k] - b[k] : 0;
        dwords[1][k] = (uint64_t)a[k] + b[k] > UINT32_MAX ? UINT32_MAX : a[k] + b[k];
        wide[0][k] = (i32)clamp((int64_t)(i32)a[k] + (i32)b[k], INT32_MIN, INT32_MAX);
        wide[1][k] = (i32)clamp((int64_t)(i32)a[k] - (i32)b[k], INT32_MIN, INT32_MAX);
    }
    EACH(k, 32)
    {
        words[0][k] = (i16)clamp(c[k] + d[k], INT16_MIN, INT16_MAX);
        words[1][k] = (i16)clamp(c[k] - d[k], INT16_MIN, INT16_MAX);
    }
    OUT(0, dwords);
    OUT(128, words);
    OUT(256, wide);
}

static void bits_by_hand(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u16, b, 32, 64);
    IN(uint64_t, c, 8, 128);
    IN(u8, l, 64, 192);
    u16 power[32], words[32];
    uint64_t quads[2][8];
    u32 dwords[16];
    EACH(k, 32)
    {
        power[k] = __builtin_popcount(b[k] & 0x11) == 1;
        words[k] = (u16)reversed(b[k], 16);
    }
    EACH(k, 16) dwords[k] = (u32)reversed(a[k], 32);
    EACH(k, 8)
    {
        quads[0][k] = __builtin_popcountll(c[k] & (c[k] >> 20 | 1ull << 40) & 0x300000000ff) == 1;
        quads[1][k] = reversed(c[k], 64);
    }
    EACH(k, 16) a[k] = __builtin_bswap32(a[k]);
    EACH(k, 32) b[k] = __builtin_bswap16(b[k]);
    EACH(k, 8) c[k] = __builtin_bswap64(c[k]);
    EACH(k, 64) l[k] = (u8)reversed(l[k], 8);
    OUT(0, a);
    OUT(64, b);
    OUT(128, c);
    OUT(192, quads[0]);
    OUT(256, power);
    OUT(320, words);
    OUT(384, dwords);
    OUT(448, quads[1]);
    OUT(512, l);
}

static void signs_of_zeros(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int8_t, a, 32, 0);
    float zeros[32];
    EACH(k, 32) zeros[k] = a[k] < 0 ? -0.0f : 0.0f;
    OUT(0, zeros);
}

REFERENCE(saturated_by_choice)
REFERENCE(bits_by_hand)
REFERENCE(signs_of_zeros)
