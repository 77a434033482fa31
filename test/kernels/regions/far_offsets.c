/* Computes in scalar C what the kernels of far_offsets.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Copies with a step and a copy between, as values are: all is read before anything is written. */
#define FROM(TYPE, NAME, COUNT, FIRST, STEP, OF)                                                                       \
    TYPE NAME[COUNT];                                                                                                  \
    EACH(k, COUNT) NAME[k] = (OF)[(FIRST) + (STEP) * k]

static void far_offsets(const void *in, void *out, unsigned thread)
{
    (void)thread;
    union {
        u32 v[512];
        u16 words[1024];
        u8 bytes[2048];
        uint64_t longs[256];
    } u;
    memcpy(&u, in, sizeof u);
    IN(u32, n, 32, 2048);
    EACH(k, 32) n[k] &= 31;

    FROM(u32, first, 8, n[0] + 126, 1, u.v);
    EACH(k, 8) u.v[n[3] + (u32)k] += first[k];
    FROM(u32, second, 8, n[0], 4, u.v);
    EACH(k, 8) u.v[n[1] + 56 + 2 * (u32)k] = second[k];
    u.v[n[1] + 117] += u.v[n[0] + 1] * u.v[n[2]];
    FROM(u32, third, 8, n[3] + 450, 1, u.v);
    EACH(k, 8) u.v[n[3] + 300 + (u32)k] ^= third[k];

    FROM(u16, fourth, 16, n[0] + 769, 1, u.words);
    EACH(k, 16) u.words[n[1] + 2 + (u32)k] += fourth[k];
    EACH(k, 16) u.words[n[0] + 3 * (u32)k] ^= 0x1234;
    u.words[n[2]] = u.words[n[1] + 856];

    FROM(u8, fifth, 32, n[4] + 1200, 1, u.bytes);
    EACH(k, 32) u.bytes[n[4] + (u32)k] ^= fifth[k];
    EACH(k, 16) u.bytes[n[5] + 486 + 2 * (u32)k] += 7;
    u.bytes[n[4] + 1287] = (u8)(u.bytes[n[4] + 775] + 1);

    FROM(uint64_t, sixth, 4, n[6] + 190, 1, u.longs);
    EACH(k, 4) u.longs[n[6] + (u32)k] ^= sixth[k];
    u.longs[n[0] + 5] = u.longs[n[1] + 156];

    u32 row = (n[7] & 3) + 10, left = n[9] & 15;
    FROM(u32, seventh, 32, (row - 5) * 32, 1, u.v);
    EACH(k, 32) u.v[(row - 9) * 32 + (u32)k] += seventh[k];
    FROM(u32, eighth, 16, n[0], 32, u.v);
    EACH(k, 16) u.v[n[8] + 32 * (u32)k] += eighth[k];
    EACH(r, 2) EACH(c, 4) u.v[(row - 8 + 2 * (u32)r) * 32 + left + 2 * (u32)c] = 77;
    memcpy(out, &u, sizeof u);
}

static void far_indices(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 256, 0);
    IN(u16, words, 512, 0);
    IN(u32, random, 32, 1024);
    u32 n[32], r[5][16], far = random[3] & 31;
    EACH(k, 32) n[k] = random[k] & 63;
    EACH(k, 16)
    {
        r[0][k] = v[n[k] + n[0]];
        r[1][k] = v[n[16 + k] + n[1] + 10];
        r[2][k] = v[far + 200 + (u32)k];
        r[3][k] = v[far + 2 * (u32)k] + (k < 8 ? words[far + 399 + (u32)k] : 0);
    }
    EACH(k, 8)
    {
        u32 at = n[8 + k];
        r[4][k] = v[at + 170] + v[at + 140];
        r[4][8 + k] = v[at + n[8] + 10] ^ v[at + n[8] + 120];
    }
    OUT(0, r);
}

REFERENCE(far_offsets)
REFERENCE(far_indices)
