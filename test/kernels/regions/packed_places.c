/* Computes in scalar C what the kernel of packed_places.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/flat.h"
#include "test/kernels/reference.h"

static void packed_places(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 32, 0);
    IN(i32, m, 32, 128);
    IN(u16, words, 64, 256);
    IN(u8, bytes, 64, 384);
    IN(uint64_t, longs, 32, 512);
    float floats[8];
    u16 halves[8];
    EACH(k, 8) floats[k] = (u8)v[m[k] & 31];
    EACH(k, 8) halves[k] = half_bits((int8_t)v[m[k] & 31]);
    OUT(0, floats);
    OUT(32, halves);

    EACH(k, 32) words[27 + k] = (u16)(v[k] + 12345);
    EACH(k, 2) if (m[k] < 0) words[7 + k] = (u16)(v[3 + k] ^ m[5 + k]);
    EACH(k, 6) if (m[2 + k] < 0) words[13 + k] = (u16)((u32)v[3 + k] - (u32)m[5 + k]);
    EACH(k, 2) if (m[8 + k] < 0) bytes[7 + k] = (u8)(v[9 + k] + 7);
    EACH(k, 2) bytes[23 + k] = (u8)(m[10 + k] < 0 ? v[11 + k] : v[13 + k]);
    EACH(k, 3) bytes[41 + 2 * k] = (u8)(m[24 + k] < 0 ? v[14 + k] : bytes[52 + 2 * k]);
    EACH(k, 2) if (m[27 + k] < 0) bytes[33 + 2 * k] = (u8)(v[24 + k] + 3);
    EACH(k, 2) words[61 + k] = (u16)(m[12 + k] < 0 ? v[11 + k] : v[13 + k]);
    OUT(64, words);
    OUT(192, bytes);

    EACH(k, 8) if (m[16 + k] < 0) longs[1 + 4 * k] = (uint64_t)(v[5 + k] & 15);
    EACH(k, 4) longs[2 + 4 * k] = (uint64_t)(v[20 + k] & 15);
    OUT(256, longs);
}

REFERENCE(packed_places)
